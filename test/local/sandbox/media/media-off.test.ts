import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { openIndividualArchive } from '../../../../lib/media/individual/individual-archive.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'

async function recordFor(ms: number, id = 'a') {
  const clock = createSteppedClock(0)
  const media = createMediaOff(clock)
  const spec = { sessionId: 's', resolution: '640x480', layout: { type: 'bestFit' as const } }
  const recorder = await media.startArchive({ ...spec, id, hasAudio: true, hasVideo: true })
  await clock.advance(ms)
  recorder.pause()
  await clock.advance(60_000)
  const file = await recorder.finish()
  return { file, bytes: await buffer(file.open()) }
}

describe('createMediaOff', () => {
  it('writes the same bytes for the same archive, without pauses', async () => {
    const { file, bytes } = await recordFor(1_500)
    expect(file).toMatchObject({ size: 1_224, seconds: 1.5 })
    expect(bytes.toString()).toMatch(/^archive a of 1\.5 s/)
    expect(bytes).toEqual((await recordFor(1_500)).bytes)
    expect(bytes).not.toEqual((await recordFor(1_500, 'b')).bytes)
  })

  it('returns the real size and SHA-256 for every length', async () => {
    for (const ms of [0, 90_000, 4 * 3_600_000]) {
      const { file, bytes } = await recordFor(ms)
      expect(file.size).toBe(bytes.length)
      expect(file.size).toBeLessThanOrEqual(64 * 1_024)
      expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('base64'))
    }
  })

  it('writes a zip whose files state the tracks and times of its streams, without pauses', async () => {
    const clock = createSteppedClock(0)
    const media = createMediaOff(clock)
    const publish = (streamId: string, more: object = {}) =>
      media.publish({
        ...{ sessionId: 's', streamId, name: streamId, hasAudio: true, hasVideo: true, videoType: 'camera' },
        ...{ layoutClasses: [], source: { type: 'pattern' }, ...more },
      })
    publish('early')
    publish('elsewhere', { sessionId: 'another' })
    const spec = { id: 'a', sessionId: 's', hasAudio: true, hasVideo: true, createdAt: 0 }
    const recorder = await media.startIndividualArchive(spec)
    await clock.advance(2_000)
    publish('late', { hasVideo: false, videoType: 'screen' })
    recorder.pause()
    await clock.advance(60_000)
    recorder.resume()
    await clock.advance(1_000)
    media.unpublish('s', 'early')
    await clock.advance(3_000)
    const file = await recorder.finish()
    const bytes = await buffer(file.open())
    expect(file).toMatchObject({ size: bytes.length, seconds: 6 })
    const source = { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) }
    const { streams, problems, duration } = await openIndividualArchive(source)
    expect({ problems, duration }).toEqual({ problems: [], duration: 6 })
    expect(streams).toMatchObject([
      { streamId: 'early', start: 0, stop: 3, videoType: 'camera', duration: 3, audio: { codec: 'opus' } },
      { streamId: 'late', start: 2, stop: 6, videoType: 'screen', duration: 4, video: null },
    ])
    expect(streams[0]?.video).toEqual({ codec: 'vp8', width: 640, height: 480 })
  })

  it('has no playlist', async () => {
    const media = createMediaOff(createSteppedClock(0))
    const spec = { id: 'b', sessionId: 's', resolution: '640x480', layout: { type: 'bestFit' as const } }
    expect(await (await media.startBroadcast(spec)).playlist()).toBeUndefined()
  })

  it('reports RTMP outputs live after a second, except for hosts without an address', async () => {
    const clock = createSteppedClock(0)
    const target = (id: string, host: string) => ({ id, serverUrl: `rtmp://${host}/app`, streamName: 'key' })
    const rtmp = [target('a', 'live.example'), target('b', 'nowhere.invalid'), target('c', 'INVALID.example')]
    const spec = { sessionId: 's', resolution: '640x480', layout: { type: 'bestFit' as const }, rtmp }
    const reports: unknown[] = []
    const [running, stopped] = await Promise.all(
      ['1', '2'].map((id) => createMediaOff(clock).startBroadcast({ ...spec, id })),
    )
    running?.onRtmp((id, link) => reports.push([clock.now(), id, link]))
    stopped?.onRtmp((id) => reports.push(id))
    await stopped?.stop()
    await clock.advance(5_000)
    expect(reports).toEqual([
      [1_000, 'a', 'live'],
      [1_000, 'b', 'offline'],
      [1_000, 'c', 'live'],
    ])
  })
})
