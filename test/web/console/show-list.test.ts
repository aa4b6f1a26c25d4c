import { describe, expect, it } from 'vitest'
import { showStatuses } from '../../../lib/show/state/state.ts'
import type { KnownShow, ShowLine } from '../../../web/console/answers.ts'
import {
  filterQuery,
  isRunning,
  noMatchText,
  readRunningShows,
  sectionsOf,
  showsToRead,
} from '../../../web/console/show-list.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const line = (showId: string, status: ShowLine['status']): ShowLine => ({
  ...{ showId, status, name: 'Launch', acceptedAt: '2026-11-23T11:00:00Z' },
})
const result = { reason: '', recordings: [], broadcasts: [], scenes: [], dialIns: [] }
const known = (showId: string, status: ShowLine['status'], changes: Partial<KnownShow> = {}): KnownShow => ({
  ...line(showId, status),
  ...{ recordings: [], broadcasts: [], scenes: [], dialIns: [], timeline: [], readAt: now, ...changes },
})

describe('showsToRead', () => {
  const idsToRead = (lines: ShowLine[], ...shows: KnownShow[]) =>
    showsToRead(lines, new Map(shows.map((one) => [one.showId, one])), now).map(({ showId }) => showId)

  it('returns a show that runs until its result is known', () => {
    const over = known('over', 'succeeded', { result })
    const lines = [line('new', 'live'), line('over', 'succeeded'), line('live', 'live'), line('ended', 'succeeded')]
    expect(idsToRead(lines, over, known('live', 'live'), known('ended', 'live'))).toEqual(['new', 'live', 'ended'])
  })

  it('returns a scheduled show once a minute, and when its start is due', () => {
    const lines = ['fresh', 'old', 'due'].map((id) => line(id, 'scheduled'))
    const [fresh, old, due] = [
      known('fresh', 'scheduled', { nextStart: '2026-11-24T18:00:00Z' }),
      known('old', 'scheduled', { readAt: now - 60_000 }),
      known('due', 'scheduled', { nextStart: '2026-11-23T12:00:00Z' }),
    ]
    expect(idsToRead(lines, fresh, old, due)).toEqual(['old', 'due'])
  })
})

describe('readRunningShows', () => {
  it('reads the shows of every status in which a show runs', async () => {
    const list = async (_: unknown, { status }: { status: string }) => ({
      items: [line(status, status as ShowLine['status'])],
    })
    const ids = (await readRunningShows(list)).map(({ showId }) => showId)
    expect(ids).toEqual(showStatuses.filter((status) => isRunning({ status })))
  })
})

describe('noMatchText', () => {
  it('does not say that no show matches while older ones follow', () => {
    expect(noMatchText(false)).toBe('No show matches.')
    expect(noMatchText(true)).toBe('None among the newest shows. “Older shows” searches further.')
  })
})

describe('sectionsOf', () => {
  it('divides shows into those that run, the next starts in their order, and past ones as they are listed', () => {
    const statuses = ['scheduled', 'succeeded', 'live', 'failed', 'waiting', 'degraded'] as const
    const shows: Pick<KnownShow, 'status' | 'nextStart'>[] = [
      ...statuses.map((status) => ({ status })),
      { status: 'scheduled' as const, nextStart: '2026-11-24T19:00:00Z' },
      { status: 'scheduled' as const, nextStart: '2026-11-24T08:00:00+01:00' },
    ]
    const { now, next, past } = sectionsOf(shows)
    expect(now.map(({ status }) => status)).toEqual(['live', 'waiting'])
    expect(next.map(({ nextStart }) => nextStart?.slice(11, 16))).toEqual(['08:00', '19:00', undefined])
    expect(past.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'degraded'])
  })
})

describe('filterQuery', () => {
  const empty = { status: '', label: '', from: '', to: '' }

  it('is empty without a filter', () => {
    expect(filterQuery(empty)).toEqual({})
  })

  it('includes the last day, in the zone of the browser', () => {
    const { from = '', to = '' } = filterQuery({ ...empty, from: '2026-11-20', to: '2026-11-21' })
    expect(new Date(from).getDate()).toBe(20)
    expect(Date.parse(to) - Date.parse(from)).toBe(2 * 86_400_000 - 1)
    expect(filterQuery({ ...empty, status: 'live', label: 'customer=c-7' })).toEqual({
      ...{ status: 'live', label: 'customer=c-7' },
    })
  })
})
