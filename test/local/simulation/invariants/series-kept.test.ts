import { describe, expect, it } from 'vitest'
import { ORDERED } from '../../../../local/simulation/faults/fault-responses.ts'
import type { ShowEvidence } from '../../../../local/simulation/invariants/evidence.ts'
import { seriesKept } from '../../../../local/simulation/invariants/series-kept.ts'
import { showWith, watchFaultAt } from './made-up-evidence.ts'

/** After the starts of the tests that do not judge missing ones. */
const ACCEPTED = '2030-01-02T20:00:00.000Z'
const object = { text: '', size: 4, sha256: 'hash' }

describe('seriesKept', () => {
  const started = (...times: string[]): ShowEvidence[] =>
    times.map((time) => ({ ...showWith(), showId: `series-${time}` }))
  const ofSeries = (start: object) =>
    new Map([
      ['shows/series/request.json', { ...object, text: JSON.stringify({ acceptedAt: ACCEPTED, show: { start } }) }],
    ])

  it('finds starts on excepted dates, after the last day, and more than were ordered', () => {
    const start = { cron: '0 19 * * ? *', zone: 'UTC', except: ['2030-01-02'], until: '2030-01-03', count: 2 }
    const shows = started('20300101t1900', '20300102t1900', '20300104t1900')
    const none = { apiRequests: [], schedules: [], failedCalls: [], now: 0 }
    expect(seriesKept({ shows, objects: ofSeries(start), ...none })).toEqual([
      'the series series started at 2030-01-02T19:00:00.000Z',
      'the series series started at 2030-01-04T19:00:00.000Z',
      'the series series started 3 times, not 2',
    ])
    const right = started('20300101t1900', '20300103t1900')
    expect(seriesKept({ shows: right, objects: ofSeries(start), ...none })).toEqual([])
  })

  it('finds a show that was unscheduled, and has no result or a schedule', () => {
    const request = { method: 'DELETE', path: '/shows/weekly', status: 200, key: '', body: '', answer: '' }
    const apiRequests = [{ ...request, askedAt: 0, answeredAt: 0 }]
    const judge = (schedules: string[], keys: string[]) =>
      seriesKept({
        ...{ shows: [], apiRequests, schedules, failedCalls: [], now: 0 },
        objects: new Map(keys.map((key) => [key, object])),
      })
    expect(judge([], ['shows/weekly/result.json'])).toEqual([])
    expect(judge([], [])).toEqual(['the show weekly was unscheduled, and has no result'])
    expect(judge(['weekly'], ['shows/weekly/result.json'])).toEqual([
      'the show weekly was unscheduled, and its schedule exists',
    ])
  })

  it('finds a request that was refused although the show had not started', () => {
    const request = { method: 'DELETE', path: '/shows/weekly', status: 409, key: '', body: '', answer: '' }
    const judge = (state: object, answer = '') =>
      seriesKept({
        ...{
          shows: [],
          schedules: [],
          failedCalls: [],
          now: 0,
          apiRequests: [{ ...request, answer, askedAt: 0, answeredAt: 5_000 }],
        },
        objects: new Map([['shows/weekly/state.json', { ...object, text: JSON.stringify(state) }]]),
      })
    expect(judge({})).toEqual(['the show weekly was not unscheduled, although it had not started'])
    expect(judge({}, ORDERED)).toEqual([])
    expect(judge({ startedAt: new Date(90_000).toISOString() })).toHaveLength(1)
    expect(judge({ startedAt: new Date(3_000).toISOString() })).toEqual([])
    expect(judge({ endedAt: new Date(3_000).toISOString() })).toEqual([])
  })

  it('finds a series that does not end after its last start, or after its last day', () => {
    const judge = (start: object, hours: number, more: Record<string, string> = {}, failures = 0) => {
      const starts = ['2030-01-01T19:00:00.000Z', '2030-01-02T19:00:00.000Z']
      const texts = { 'shows/series/state.json': JSON.stringify({ starts }), ...more }
      const states = Object.entries(texts).map(([key, text]) => [key, { ...object, text }] as const)
      const now = Date.UTC(2030, 0, 2, 19 + hours)
      return seriesKept({
        shows: [],
        apiRequests: [],
        schedules: [],
        failedCalls: Array.from({ length: failures }, () => watchFaultAt(Date.UTC(2030, 0, 2, 19, 30), 'SweepShows')),
        now,
        objects: new Map([...ofSeries(start), ...states]),
      })
    }
    const daily = { cron: '0 19 * * ? *', zone: 'UTC' }
    const problem = ['the series series is over, and has not ended']
    expect(judge({ ...daily, count: 2 }, 5)).toEqual(problem)
    expect(judge({ ...daily, count: 2 }, 2)).toEqual(problem)
    expect(judge({ ...daily, count: 2 }, 2, {}, 5)).toEqual([])
    expect(judge({ ...daily, count: 2 }, 1)).toEqual([])
    expect(judge({ ...daily, count: 3 }, 5)).toEqual([])
    expect(judge({ ...daily, count: 2 }, 5, { 'shows/series/result.json': '{}' })).toEqual([])
    expect(judge({ ...daily, until: '2030-01-02' }, 60)).toEqual(problem)
    expect(judge({ ...daily, until: '2030-01-02' }, 30)).toEqual([])
  })

  it('finds a start that was due and has no show, unless the sweep failed for long', () => {
    const [start, acceptedAt] = [{ cron: '0 19 * * ? *', zone: 'UTC', count: 2 }, '2030-01-01T12:00:00.000Z']
    const judge = (now: number, occurrences: readonly string[], failures = 0) =>
      seriesKept({
        ...{ shows: [], apiRequests: [], schedules: [], now },
        failedCalls: Array.from({ length: failures }, () => watchFaultAt(Date.UTC(2030, 0, 2, 19, 30), 'SweepShows')),
        objects: new Map([
          ['shows/series/request.json', { ...object, text: JSON.stringify({ acceptedAt, show: { start } }) }],
          ...occurrences.map(
            (time) => [`shows/series-${time}/request.json`, { ...object, text: '{"show":{}}' }] as const,
          ),
        ]),
      })
    const [first, second] = ['20300101t1900', '20300102t1900']
    expect(judge(Date.UTC(2030, 0, 2, 20), [first])).toEqual([])
    expect(judge(Date.UTC(2030, 0, 2, 20, 1), [first])).toEqual([
      'the series series did not start at 2030-01-02T19:00:00.000Z',
    ])
    expect(judge(Date.UTC(2030, 0, 5), [first, second])).toEqual([])
    expect(judge(Date.UTC(2030, 0, 5), [first], 5)).toEqual([])
  })

  it('finds a series that waits without a schedule', () => {
    const request = {
      acceptedAt: '2030-01-01T12:00:00.000Z',
      show: { start: { cron: '0 19 1 1 ? 2030', zone: 'UTC' } },
    }
    const judge = (hour: number, schedules: string[], status = 'scheduled') =>
      seriesKept({
        ...{ shows: [], apiRequests: [], failedCalls: [], schedules, now: Date.UTC(2030, 0, 1, hour, 1) },
        objects: new Map([
          ['shows/later/request.json', { ...object, text: JSON.stringify(request) }],
          ['shows/later/state.json', { ...object, text: JSON.stringify({ status }) }],
        ]),
      })
    expect(judge(13, [])).toEqual(['the series later waits for its next start, and has no schedule'])
    expect(judge(12, [])).toEqual([])
    expect(judge(13, ['showrunner-later'])).toEqual([])
    expect(judge(13, [], 'live')).toEqual([])
    expect(judge(19, [])).toEqual([])
  })

  it('finds a show that was started for a time before its series was posted or edited', () => {
    const start = { cron: '0 19 * * ? *', zone: 'UTC' }
    /** Judges a show of the series, which was posted on the second day at 20:00. */
    const judge = (time: string, { at = '', editedAt = '', scheduleId = 'series' } = {}) =>
      seriesKept({
        ...{ apiRequests: [], schedules: [], failedCalls: [], now: 0 },
        shows: [
          {
            ...showWith(),
            ...{ showId: `series-${time}`, startedAt: Date.parse(at), request: { scheduleId, show: {} } as never },
          },
        ],
        objects: new Map([
          ...ofSeries(start),
          ['shows/series/state.json', { ...object, text: JSON.stringify(editedAt ? { editedAt } : {}) }] as const,
        ]),
      })
    const [second, third] = ['20300102t1900', '20300103t1900']
    expect(judge(third)).toEqual([])
    expect(judge(second)).toEqual(['the series series started at 2030-01-02T19:00:00.000Z, before it was requested'])
    expect(judge(second, { scheduleId: 'another' })).toEqual([])
    const editedAt = '2030-01-03T19:30:00.000Z'
    expect(judge(third, { editedAt, at: '2030-01-03T19:00:05.000Z' })).toEqual([])
    expect(judge(third, { editedAt, at: '2030-01-03T19:30:05.000Z' })).toEqual([
      'the series series started at 2030-01-03T19:00:00.000Z, before it was requested',
    ])
    expect(judge('20300104t1900', { editedAt, at: '2030-01-04T19:00:05.000Z' })).toEqual([])
  })
})
