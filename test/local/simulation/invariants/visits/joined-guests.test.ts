import { describe, expect, it } from 'vitest'
import type { ShowEvidence } from '../../../../../local/simulation/invariants/evidence.ts'
import { joinedGuests } from '../../../../../local/simulation/invariants/visits/joined-guests.ts'
import type { Visit } from '../../../../../local/simulation/visits/visitor.ts'
import { showWith } from '../made-up-evidence.ts'
import { objectsOf, visited } from './visited.ts'

const objects = objectsOf({
  'shows/a/request.json': { show: {} },
  'shows/s/request.json': { show: { start: { cron: '0 19 ? * TUE *' } } },
})
const waiting = { showId: 'a', status: 'starting' }
const live = { showId: 'a', status: 'live', sessionId: 'session' }
const over = { ...live, status: 'succeeded', endedAt: '1970-01-01T00:00:00.000Z' }
const judge = (
  shows: readonly object[],
  body: object,
  more: Partial<Visit> = {},
  showId = 'a',
  others: ShowEvidence[] = [],
) =>
  joinedGuests({
    objects,
    trace: [],
    shows: others,
    joins: [{ showId, doors: { shows: shows as never }, visit: visited('/public/join', body, more) }],
  })
const later = (seconds: string, startsAt?: string) =>
  [startsAt === undefined ? {} : { startsAt }, { status: 409, headers: { 'retry-after': seconds } }] as const

describe('joinedGuests', () => {
  it('accepts a token while the show has a session, and refusals before and after it', () => {
    expect(judge([live], { showId: 'a', sessionId: 'session' })).toEqual([])
    expect(judge([waiting], ...later('2'))).toEqual([])
    expect(judge([{ ...waiting, status: 'scheduled' }], ...later('60', '1970-01-01T00:01:00.000Z'))).toEqual([])
    expect(judge([over], {}, { status: 410 })).toEqual([])
  })

  it('accepts the open occurrence of a series, and its end', () => {
    const series = { showId: 's', status: 'scheduled', occurrences: ['a'] }
    expect(judge([series, live], { showId: 'a', sessionId: 'session' }, {}, 's')).toEqual([])
    expect(judge([series, over], {}, { status: 410 }, 's')).toEqual([])
    expect(judge([series, live], {}, { status: 410 }, 's')).toHaveLength(1)
    const next = { ...showWith(), startedAt: 60_000, request: { scheduleId: 's' } } as ShowEvidence
    expect(judge([series, over], {}, { status: 410 }, 's', [next]).join()).toContain('410, and the series continues')
  })

  it.each<[string, ReturnType<typeof judge>]>([
    ['answered 410 instead of the session of a', judge([live], {}, { status: 410 })],
    ['answered 200 instead of the session of a', judge([live], { showId: 'a', sessionId: 'other' })],
    ['admitted, and the show has no session', judge([over], { showId: 'a', sessionId: 'session' })],
    ['answered 409 instead of 410', judge([over], ...later('2'))],
    ['answered 410 instead of 409', judge([waiting], {}, { status: 410 })],
    ['answered without its start', judge([{ ...waiting, status: 'scheduled' }], ...later('2'))],
    ['asked to repeat after 600 s', judge([waiting], ...later('600', '1970-01-01T00:10:00.000Z'))],
    ['asked to repeat after 300 s', judge([waiting], ...later('300'))],
    ['asked to repeat after 2 s', judge([waiting], ...later('2', '1960-01-01T00:00:00.000Z'))],
    ['asked to repeat after 2 s', judge([waiting], ...later('2', '1969-12-31T23:59:00.000Z'))],
    ['asked to repeat after 6 s', judge([waiting], ...later('6', '1969-12-31T23:59:00.000Z'))],
  ])('finds a guest who is %s', (problem, found) => {
    expect(found.join()).toContain(problem)
  })
})
