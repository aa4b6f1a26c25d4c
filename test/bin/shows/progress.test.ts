import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { describeWait } from '../../../bin/shows/follow-with-progress.ts'
import type { ShowSnapshot } from '../../../bin/shows/poll-show.ts'
import { showProgress } from '../../../bin/shows/progress.ts'
import { createShowStream } from '../../../bin/shows/show-stream.ts'

/** Shows the progress of a show with one recording on a stream, and returns what was written. */
async function shown(
  act: (snapshots: ReturnType<typeof createShowStream>) => void,
  terminal = {},
  broadcasts: readonly string[] = [],
): Promise<string> {
  const stream = Object.assign(new PassThrough(), terminal) as unknown as NodeJS.WriteStream & PassThrough
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const snapshots = createShowStream()
  const show = { recordings: ['program'], broadcasts, awaiting: () => 'waiting until 19:15' }
  const done = showProgress(show, snapshots, { stream, signal: new AbortController().signal })
  act(snapshots)
  await done
  return stripVTControlCharacters(text)
}

const snapshot = (show: object) =>
  ({
    show: { recordings: [], broadcasts: [], timeline: [], ...show },
    published: [],
    publishing: new Map(),
  }) as unknown as ShowSnapshot

describe('showProgress', () => {
  it('does not repeat the error that ended the stream in every step', async () => {
    const text = await shown((snapshots) => {
      const timeline = ['session.opened', 'upload.targetSet', 'audience.present'].map((what) => ({ what }))
      snapshots.push(snapshot({ status: 'live', timeline }))
      setImmediate(() => snapshots.end(new Error('The API answered 500.')))
    })
    expect(text).not.toContain('500')
    expect(text).toContain('Publishing program: interrupted')
  })

  it('says how to come in while the show waits, and why it ended if no participant connected', async () => {
    const reason = 'No participant connected within 5 s.'
    const text = await shown((snapshots) => {
      const timeline = [{ what: 'session.opened' }, { what: 'upload.targetSet' }]
      snapshots.push(snapshot({ status: 'waiting', timeline }))
      setImmediate(() => {
        snapshots.push(snapshot({ status: 'cancelled', timeline, result: { reason, recordings: [] } }))
        snapshots.end()
      })
    })
    expect(text).toContain(reason)
    expect(text).not.toContain('program') // nothing of it was started
  })

  it('names the outputs that are not on the air while the show is live', async () => {
    const timeline = ['session.opened', 'upload.targetSet', 'audience.present'].map((what) => ({ what }))
    const live = (status: string) => {
      const rtmp = [
        { id: 'youtube', status },
        { id: 'spare', status: 'live' },
      ]
      const broadcasts = [{ name: 'live', status: 'started', hls: 'https://cdn.example.com/a.m3u8', rtmp }]
      return snapshot({ status: 'live', timeline, broadcasts })
    }
    const text = await shown(
      (snapshots) => {
        snapshots.push(live('offline'))
        setImmediate(() => snapshots.end(new Error('x')))
      },
      {},
      ['live'],
    )
    expect(text).toContain('watch it live: https://cdn.example.com/a.m3u8; output youtube: offline')
    expect(text).not.toContain('spare')
  })

  it('writes lines to a terminal without columns', async () => {
    const text = await shown((snapshots) => snapshots.end(new Error('x')), { isTTY: true, columns: 0 })
    expect(text).toMatch(/^.*Session: interrupted.*$/m)
  })
})

describe('describeWait', () => {
  it('names the time, the link and the route', () => {
    const startedAt = '2026-11-20T10:00:00.000Z'
    const show = { showId: 'abc', acceptedAt: startedAt, startedAt }
    const time = new Date(Date.parse(startedAt) + 60_000).toLocaleTimeString('en-GB')
    expect(describeWait(show, 60, 'http://127.0.0.1:1/#secret')).toBe(
      `waiting until ${time} for a participant: join at http://127.0.0.1:1/?show=abc#secret, or POST /shows/abc/tokens`,
    )
    expect(describeWait(show, 60)).toContain(`${time} for a participant: POST /shows/abc/tokens`)
  })
})
