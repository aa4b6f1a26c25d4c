import { describe, expect, it } from 'vitest'
import type { WatchedShow } from '../../../../lib/api/watched-show.ts'
import { nextPoll } from '../../../../web/watch/live/next-poll.ts'

const show = (changes: Partial<WatchedShow>): WatchedShow => ({
  ...{ showId: 'a-show', isSeries: false, phase: 'before', startsAt: null, cover: null, accentColor: null, live: null },
  ...{ recordings: [], isPublishing: false, ...changes },
})
const startIn = (seconds: number) => show({ startsAt: new Date(seconds * 1000).toISOString() })

describe('nextPoll', () => {
  it.each([
    ['soon while the show is unknown or live', undefined, 5_000],
    ['soon while it is live', show({ phase: 'live' }), 5_000],
    ['soon once the planned start has passed', startIn(-60), 5_000],
    ['more often towards the start', startIn(100), 25_000],
    ['each minute long before', startIn(86_400), 60_000],
    ['while recordings are published', show({ phase: 'after', isPublishing: true }), 10_000],
    ['while the recordings of a series are published', { ...startIn(86_400), isPublishing: true }, 10_000],
    ['never once all is there', show({ phase: 'after' }), undefined],
  ])('is %s', (_, given, delay) => {
    expect(nextPoll(given, 0)).toBe(delay)
  })
})
