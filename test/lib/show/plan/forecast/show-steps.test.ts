import { describe, expect, it } from 'vitest'
import { type ShowDocument, show } from '../../../../../lib/show/document/show.ts'
import { stepsOf } from '../../../../../lib/show/plan/forecast/show-steps.ts'

/** Stands for the words of a caller, which knows the zone of its reader. */
const describeStart = () => 'every Monday'

describe('stepsOf', () => {
  it('says which of two equal local times a show starts at', () => {
    const ordered = { version: 1.1 as const, name: 'A', duration: 60, recordings: [{ name: 'a' }] }
    const startOf = (at: string) =>
      stepsOf(show.parse({ ...ordered, start: { at, zone: 'Europe/Berlin' } }), describeStart)[0]
    expect(startOf('2026-10-25T02:30')?.[1]).toBe(
      '2026-10-25T02:30 in Europe/Berlin, which occurs twice: at the first, 2026-10-25T00:30Z (the second is 2026-10-25T01:30Z)',
    )
    expect(startOf('2026-10-25T02:30+01:00')?.[1]).toBe('2026-10-25T01:30 in UTC')
  })

  it('prints pauses, and counts the parts around them', () => {
    const recordings = [{ name: 'room', pauses: [{ from: 10_800, to: 14_400 }] }]
    const plan = stepsOf(show.parse({ version: 1.1, name: 'A', duration: 25_200, recordings }), describeStart)
    expect(plan).toContainEqual(['recording', 'room: composed, 1280x720 bestFit, at least 2 parts of up to 4 h'])
    expect(plan).toContainEqual(['pause', 'room: after 3 h, for 1 h'])
  })

  const plan = (changes: Partial<ShowDocument>) =>
    stepsOf(
      show.parse({ version: 1, name: 'A', duration: 60, recordings: [{ name: 'program' }], ...changes }),
      describeStart,
    ).map((line) => line.join(' '))

  it('counts the parts of recordings and broadcasts that exceed the limits of the platform', () => {
    const broadcasts = [{ name: 'live', hls: {}, parts: true }]
    const lines = plan({ duration: 100_000, broadcasts })
    expect(lines).toContain('recording program: composed, 640x480 bestFit, at least 7 parts of up to 4 h')
    expect(lines).toContain('broadcast live: HLS, 640x480 bestFit, at least 3 parts of up to 10 h')
    expect(lines).toContain('duration 1 d 3 h 46 min 40 s from the first recording or broadcast')
  })

  it.each([
    [{ at: '2027-01-01T19:00', zone: 'Europe/Berlin' }, 'start 2027-01-01T19:00 in Europe/Berlin'],
    [{ cron: '0 9 ? * 2 *' }, /^start every Monday$/],
  ])('describes the start %j', (start, line) => {
    expect(plan({ start })[0]).toMatch(line)
  })

  it('describes an open end', () => {
    expect(plan({ duration: null, maxDuration: 7_200 })).toContain(
      'duration open: until no participant publishes for 5 min, at the latest 2 h from the first recording or broadcast',
    )
  })

  it('describes markers and the watch page', () => {
    const cues = [
      { at: 0, marker: 'Welcome' },
      { at: 30, marker: 'Talk', recording: 'program' },
    ]
    const lines = plan({ cues, page: { description: 'All of it.', accentColor: '#1a73e8' } })
    expect(lines).toContain('marker after 0 s: Welcome, a chapter of every recording')
    expect(lines).toContain('marker after 30 s: Talk, a chapter of the recording program')
    expect(lines).toContain('page A, with a description, in #1a73e8')
    expect(plan({ recordings: [], broadcasts: [{ name: 'live', hls: {} }] }).join()).not.toContain('page')
  })

  it('describes an existing session and the publishing', () => {
    const lines = plan({ session: { id: '1_existing' }, publish: { formats: [], keepDays: 7 } })
    expect(lines).toContain('session the existing session 1_existing')
    expect(lines).toContain('publish only the manifest, for callers of the API, deleted after 7 days')
  })
})
