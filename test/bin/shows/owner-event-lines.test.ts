import { describe, expect, it } from 'vitest'
import { ownerEventLine } from '../../../bin/shows/owner-event-lines.ts'

const at = '2026-11-20T10:00:00.000Z'
const line = (event: object) =>
  ownerEventLine({ id: 'i', at, showId: 'abc', ...event }, {
    recordings: { get: async (id: string) => ({ watch: { url: `http://127.0.0.1:1/watch/${id}` } }) },
  } as never)

describe('ownerEventLine', () => {
  it.each([
    [{ event: 'session.opened' }, 'Show abc: its session is open'],
    [{ event: 'recording.started', name: 'program', part: 2 }, 'Show abc: the recording program (part 2) runs'],
    [{ event: 'recording.paused', name: 'program', part: 1 }, 'Show abc: the recording program is paused'],
    [{ event: 'recording.resumed', name: 'program', part: 2 }, 'Show abc: the recording program (part 2) has resumed'],
    [{ event: 'broadcast.live', name: 'live', hls: 'http://h' }, 'Show abc: the broadcast live is on air: http://h'],
    [{ event: 'recording.failed', name: 'program', reason: 'Why.' }, 'Show abc: recording.failed program: Why.'],
    [{ event: 'show.ended', status: 'succeeded', reason: 'It ended.' }, 'Show abc: succeeded: It ended.'],
  ])('describes %j', async (event, text) => {
    expect(await line(event)).toBe(text)
  })

  it('links to the watch page of a recording as soon as it can be watched', async () => {
    const published = { event: 'recording.published', name: 'program', archiveId: 'archive' }
    expect(await line({ ...published, status: 'ready' })).toBe(
      'Show abc: the recording program can be watched, and other files follow: http://127.0.0.1:1/watch/archive',
    )
    expect(await line({ ...published, status: 'complete' })).toContain('is published: http://127.0.0.1:1/watch/archive')
    expect(await line({ ...published, status: 'failed', reason: 'It is damaged.' })).toBe(
      'Show abc: the recording program is not published: It is damaged.',
    )
  })

  it('omits what is not an owner event', async () => {
    expect(await line({ event: 'elsewhere' })).toBeUndefined()
  })
})
