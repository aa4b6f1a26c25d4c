import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Broadcaster } from '../../../../local/sandbox/media/media.ts'
import { frameAt, timeOf } from '../../../../local/sandbox/media/timebase.ts'
import { followPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { readPlaylist } from '../../../support/media/playlists.ts'
import { openMedia, START, stream } from './open-media.ts'

/** Beyond whole segments: frames that are still in the encoder, in seconds. */
const ENCODING = 0.5
/** Long enough for a machine that has other things to do. */

async function openBroadcast(hls: { dvr: boolean; lowLatency: boolean }) {
  const { media, clock, directory, ffmpegPath } = await openMedia()
  media.publish(stream('a'))
  const spec = { id: 'one', sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } } as const
  const broadcaster = await media.startBroadcast({ ...spec, hls })
  const { add } = followPlaylist('broadcast')
  /** Lets time pass until the playlist is as new as it must be then, and gives it. */
  const next = async (seconds: number, mostBehind: number) => {
    await clock.advance(seconds * 1000)
    await media.caughtUp()
    const elapsed = (clock.now() - START) / 1000
    await expect.poll(async () => elapsed - (await endOf(broadcaster))).toBeLessThanOrEqual(mostBehind)
    const text = await broadcaster.playlist(hls.dvr ? 'event' : 'window')
    if (text !== undefined) add(text)
    return { text, playlist: readPlaylist(text ?? '') }
  }
  /** The numbers of the frames that a segment shows, counted from the first one broadcast. */
  const framesOf = async (segment: string) => {
    const folder = join(directory, 'one')
    const { file = '', offset = 0, size = 0 } = (await broadcaster.locate?.(segment)) ?? {}
    const media = (await readFile(join(folder, file))).subarray(offset, offset + size)
    const path = join(directory, 'segment.mp4')
    await writeFile(path, Buffer.concat([await readFile(join(folder, 'init.mp4')), media]))
    const pictures = await decodePictures(ffmpegPath, path, { width: 640, height: 480 })
    const codes = pictures.map((picture) => readCellTimecode(picture, findCells(picture).get(0) as never) ?? Number.NaN)
    return codes.map((code) => code - (frameAt(START) % 2 ** 24))
  }
  /** Stops the broadcast, and returns its last playlist. */
  const stop = async () => {
    await broadcaster.stop()
    const text = (await broadcaster.playlist(hls.dvr ? 'event' : 'window')) ?? ''
    expect(add(text).hasEnded).toBe(true)
    return readPlaylist(text)
  }
  return { broadcaster, next, stop, framesOf, folder: join(directory, 'one') }
}

/** Returns the end of the playlist, in seconds of the broadcast: all segments but the last are equally long. */
async function endOf(broadcaster: Broadcaster): Promise<number> {
  const { sequence, segments } = readPlaylist((await broadcaster.playlist()) ?? '')
  return (sequence + segments.length) * (segments[0]?.seconds ?? 0)
}

describe('the playlist of a broadcast', () => {
  it.each([false, true])(
    'is a window of 30 s that moves on, is never far behind, and ends where it is (low latency: %s)',
    async (lowLatency) => {
      const { broadcaster, next, stop, framesOf } = await openBroadcast({ dvr: false, lowLatency })
      expect(await broadcaster.playlist()).toBeUndefined()
      let last = 0
      for (let step = 0; step < 18; step++) {
        const { text, playlist } = await next(2, 2 + ENCODING)
        if (text === undefined) continue
        const { sequence, segments, target } = playlist
        expect(target).toBe(2)
        expect(sequence * 2 + segments.length * 2 - 30).toBeLessThanOrEqual(sequence * 2)
        expect(segments).toEqual(segments.map((_, index) => ({ name: nameOf(sequence + index), seconds: 2 })))
        expect(sequence).toBeGreaterThanOrEqual(last)
        expect(text).not.toMatch(/DISCONTINUITY|PLAYLIST-TYPE|ENDLIST/)
        last = sequence
      }
      expect(last).toBeGreaterThan(0)
      const dates = [...((await broadcaster.playlist()) ?? '').matchAll(/^#EXT-X-PROGRAM-DATE-TIME:(.*)$/gm)]
      expect(Date.parse(dates[0]?.[1] ?? '')).toBe(Math.round(timeOf(frameAt(START))) + 2000 * last)
      expect(await framesOf(nameOf(last))).toEqual(range(last * 60, (last + 1) * 60))

      const ended = await stop()
      expect(ended.sequence).toBeGreaterThanOrEqual(last)
      expect(ended.segments.map(({ name }) => name)).toEqual(range(ended.sequence, 18).map(nameOf))
      expect((await framesOf(ended.segments.at(-1)?.name ?? '')).at(-1)).toBe(36 * 30 - 1)
    },
  )

  it('keeps everything with DVR, also after its end', async () => {
    const { next, stop, folder } = await openBroadcast({ dvr: true, lowLatency: false })
    for (const seconds of range(1, 18)) {
      const { text, playlist } = await next(1, 2 + ENCODING)
      expect(playlist.segments).toEqual(playlist.segments.map((_, index) => ({ name: nameOf(index), seconds: 2 })))
      if (seconds > 2) expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT\n')
      expect(text ?? '').not.toMatch(/DISCONTINUITY|ENDLIST/)
    }
    const { sequence, segments, hasEnded, target } = await stop()
    expect({ sequence, hasEnded, target }).toEqual({ sequence: 0, hasEnded: true, target: 2 })
    expect(segments.map(({ name }) => name)).toEqual(range(0, 9).map(nameOf))
    expect(segments.reduce((total, segment) => total + segment.seconds, 0)).toBeCloseTo(17, 1)
    expect((await readdir(folder)).toSorted()).toEqual(['index.m3u8', 'init.mp4', 'media-0.m4s'])
  })
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const nameOf = (number: number) => `segment-${String(number).padStart(5, '0')}.m4s`
