import { describe, expect, it } from 'vitest'
import { pollShow, type ShowSnapshot } from '../../../bin/shows/poll-show.ts'
import type { RecordingAnswer, ShowAnswer } from '../../../bin/shows/show-api.ts'
import { createListing } from '../../../lib/client/listing.ts'

const MINUTE = 60_000
const uploaded = { name: 'program', part: 1, tag: 't', archiveId: 'archive', key: 'k/archive/archive.mp4' }
const ended = {
  acceptedAt: '2026-12-01T19:00:00Z',
  recordings: [uploaded],
  result: { recordings: [uploaded] },
} as unknown as ShowAnswer

const published = { archiveId: 'archive', createdAt: '2026-12-01T20:00:00Z', status: 'complete' }

/** Follows an ended show whose publish runs until `runsUntil` and is complete at `completeAt`, in milliseconds. */
async function follow({ runsUntil, completeAt = Number.POSITIVE_INFINITY, isAwaited = true }: Plan) {
  let now = 0
  const snapshots: ShowSnapshot[] = []
  const status = () => (now >= completeAt ? 'complete' : 'ready')
  const last = await pollShow({
    api: {
      shows: { get: async () => ended },
      recordings: {
        list: () => createListing(async () => ({ items: [{ ...published, status: status() } as RecordingAnswer] })),
      },
    },
    showId: 'a',
    signal: new AbortController().signal,
    onSnapshot: (snapshot) => snapshots.push(snapshot),
    clock: {
      now: () => now,
      async sleep(ms) {
        now += ms
      },
    },
    ...(isAwaited && {
      publishes: { statesOf: async () => new Map(now < runsUntil ? [['archive', 'Encode piece']] : []) },
    }),
  })
  return { last, snapshots, now }
}
interface Plan {
  readonly runsUntil: number
  readonly completeAt?: number
  readonly isAwaited?: boolean
}

describe('pollShow', () => {
  it('waits for publishing as long as it runs', async () => {
    const { last, now, snapshots } = await follow({ runsUntil: 30 * MINUTE, completeAt: 30 * MINUTE })
    expect([last.published[0]?.status, now]).toEqual(['complete', 30 * MINUTE])
    expect(snapshots[0]?.publishing).toEqual(new Map([['archive', 'Encode piece']]))
  })

  it('waits a minute for a publish that starts late or again, and then no longer', async () => {
    const { last, now } = await follow({ runsUntil: 5 * MINUTE })
    expect([last.published[0]?.status, now]).toEqual(['ready', 6 * MINUTE])
  })

  it('stops at the end of the show when no publish is awaited', async () => {
    expect((await follow({ runsUntil: 5 * MINUTE, isAwaited: false })).now).toBe(0)
  })

  it('finds a recording behind those of other shows, and reads none that is older than the show', async () => {
    const pages: string[] = []
    const others = Array.from({ length: 100 }, (_, index) => ({ ...published, archiveId: `other-${index}` }))
    const older = { archiveId: 'older', createdAt: '2026-12-01T18:59:59Z', status: 'complete' }
    const answers: Record<string, object[]> = { first: others, second: others, third: [published], fourth: [older] }
    const follow = async (archiveIds: readonly string[]) => {
      pages.length = 0
      const recordings = archiveIds.map((archiveId) => ({ ...uploaded, archiveId }))
      const { published } = await pollShow({
        api: {
          shows: { get: async () => ({ ...ended, recordings, result: { recordings } }) as unknown as ShowAnswer },
          recordings: {
            list: () =>
              createListing(async (cursor = 'first') => {
                pages.push(cursor)
                const names = [...Object.keys(answers), 'fifth']
                return { items: answers[cursor] as RecordingAnswer[], cursor: names[names.indexOf(cursor) + 1] }
              }),
          },
        },
        showId: 'a',
        signal: new AbortController().signal,
        onSnapshot: () => {},
      })
      return published.map(({ archiveId }) => archiveId)
    }
    expect([await follow(['archive']), pages]).toEqual([['archive'], ['first', 'second', 'third']])
    expect([await follow(['archive', 'missing']), pages]).toEqual([['archive'], ['first', 'second', 'third', 'fourth']])
  })
})
