import { describe, expect, it } from 'vitest'
import type { WatchedShow } from '../../../../lib/api/watched-show.ts'
import { noticeOf, recordingLabel, recordingsNote } from '../../../../web/watch/live/show-labels.ts'

const show = (changes: Partial<WatchedShow>): WatchedShow => ({
  ...{ showId: 'a-show', isSeries: false, phase: 'before', startsAt: null, cover: null, accentColor: null, live: null },
  ...{ recordings: [], isPublishing: false, ...changes },
})
const startsAt = new Date(10_000).toISOString()
const live = { playlist: 'https://cdn.example.com/1.m3u8', dvr: false, lowLatency: false }

describe('noticeOf', () => {
  it.each([
    [show({ startsAt }), 'The show starts in'],
    [show({ startsAt, isSeries: true }), 'The next show starts in'],
    [show({ startsAt: new Date(0).toISOString() }), 'The show is about to start.'],
    [show({}), 'The show has not started yet.'],
    [show({ phase: 'live' }), 'The show has no picture yet.'],
    [show({ phase: 'live', live }), ''],
    [show({ phase: 'after' }), 'The show is over.'],
    [show({ phase: 'after', isPublishing: true }), 'The show is over. Its recording will appear here.'],
    [show({ phase: 'after', isSeries: true }), 'The series is over.'],
  ])('describes %j', (given, text) => {
    expect(noticeOf(given, 5_000)).toBe(text)
  })
})

describe('recordingsNote', () => {
  it('announces the recording of the last show of a series', () => {
    expect(recordingsNote(show({ isSeries: true, startsAt, isPublishing: true }))).toContain('will appear here')
    expect(recordingsNote(show({ isSeries: true, startsAt }))).toBeUndefined()
  })
})

describe('recordingLabel', () => {
  const on = (name: string, startedAt: string | null) => ({ name, path: '/watch/1', startedAt })
  const label = (one: ReturnType<typeof on>, ...others: ReturnType<typeof on>[]) =>
    recordingLabel(one, [one, ...others], 'en-GB', 'UTC')
  const day = '2026-11-24T19:01:00.000Z'

  it('is the day of a show in a series, with the name if there are several', () => {
    expect(label(on('program', day))).toBe('24 November 2026 at 19:01')
    expect(label(on('program', day), on('speakers', day))).toBe('24 November 2026 at 19:01 · program')
  })

  it('is the name in a single show', () => {
    expect(label(on('program', null), on('speakers', null))).toBe('program')
  })
})
