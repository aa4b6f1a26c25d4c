import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { openLiveSource } from '../../../../../lib/media/clips/live-source.ts'
import { readLiveList } from '../../../../../lib/media/hls/playlists/live-clip-playlist.ts'
import type { BroadcastSpec } from '../../../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../../../local/sandbox/media/media-off.ts'
import {
  createLiveSegments,
  isPlayed,
  liveFactsIn,
} from '../../../../../local/simulation/environment/media/live-segments.ts'

const START = Date.UTC(2030, 0, 1)
const FOLDER = 'http://platform.invalid/broadcasts/fa/'

/** A broadcast that has run for some seconds. */
async function run(seconds: number, id = 'fa') {
  const clock = createSteppedClock(START)
  const segments = createLiveSegments(clock)
  const spec = { id, hls: { dvr: true, lowLatency: false } } as BroadcastSpec
  const broadcast = await segments.addTo(createMediaOff(clock)).startBroadcast(spec)
  clock.at(START + seconds * 1000, () => {})
  while (clock.step());
  return { segments, broadcast }
}

describe('createLiveSegments', () => {
  it('has no playlist before the first segment is complete', async () => {
    const { broadcast } = await run(5)
    expect(await broadcast.playlist()).toBeUndefined()
  })

  it('lists a minute, or all with DVR, and ends the playlist of a stopped broadcast', async () => {
    const { broadcast } = await run(120)
    const listed = async (kind: 'window' | 'event') => (await broadcast.playlist(kind))?.match(/^live-\d+\.m4s$/gm)
    expect(await listed('window')).toHaveLength(10)
    expect(await listed('event')).toHaveLength(20)
    expect(await broadcast.playlist()).not.toContain('#EXT-X-ENDLIST')
    await broadcast.stop()
    expect(await broadcast.playlist()).toContain('#EXT-X-ENDLIST')
  })

  it('serves segments of which a clip is cut at its time', async () => {
    const { segments, broadcast } = await run(120)
    const main = readLiveList((await broadcast.playlist('event')) ?? '', `${FOLDER}index.m3u8`)
    const read = async (url: string) => segments.read({ url }) ?? Buffer.alloc(0)
    const opened = main && (await openLiveSource({ main }, { from: START + 20_000, to: START + 31_000 }, read))
    expect(opened?.span).toEqual({ from: 20, to: 31 })
    const text = segments.read({ url: `${FOLDER}live-3.m4s` })?.toString('latin1') ?? ''
    expect(liveFactsIn(text)).toEqual({ broadcast: 'fa', start: START })
  })

  it('lists segments of MPEG-TS for half of the broadcasts, of which no clip is cut', async () => {
    const { broadcast } = await run(60, '0a')
    const playlist = (await broadcast.playlist('event')) ?? ''
    expect(playlist).toContain('live-9.ts')
    expect(readLiveList(playlist, `${FOLDER}index.m3u8`)).toBeUndefined()
  })

  it('serves nothing else', async () => {
    const { segments } = await run(12)
    for (const url of [`${FOLDER}index.m3u8`, `${FOLDER}other`, 'http://platform.invalid/broadcasts/b/live-0.m4s'])
      expect(segments.read({ url })).toBeUndefined()
    expect(isPlayed({ url: `${FOLDER}index.m3u8?DVR` })).toBe(true)
    expect(isPlayed({ url: 'http://platform.invalid/v2/project/1/broadcast' })).toBe(false)
  })
})
