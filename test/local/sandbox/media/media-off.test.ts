import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
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
