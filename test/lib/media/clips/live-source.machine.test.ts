import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cutClip } from '../../../../lib/media/clips/cut-clip.ts'
import { type LiveLists, openLiveSource } from '../../../../lib/media/clips/live-source.ts'
import { type ClockSpan, limitList, readLiveList } from '../../../../lib/media/hls/playlists/live-clip-playlist.ts'
import { FRAMES_PER_SECOND, frameAt, timeOf } from '../../../../local/sandbox/media/timebase.ts'
import { openMedia, START, stream } from '../../../local/sandbox/media/open-media.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeEveryFrame, decodeTimedAudio } from '../joining/decode-joined.ts'

/** Numbers of the first frame of a clip, and of the one behind its last: both are between keyframes. */
const [FROM, UNTIL] = [71, 317]
const GOP = 60
/** Seconds of an AAC frame. */
const AUDIO_FRAME = 1024 / 48_000

/** Broadcasts 14 s with a ladder, and returns the folder of its segments. */
async function broadcast() {
  const { media, clock, directory, ffmpegPath } = await openMedia({ ladder: [240] })
  media.publish(stream('a'))
  const spec = { id: 'one', sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } } as const
  const broadcaster = await media.startBroadcast({ ...spec, hls: { dvr: true, lowLatency: false } })
  await clock.advance(14_000)
  await media.caughtUp()
  await broadcaster.stop()
  return { folder: join(directory, 'one'), ffmpegPath }
}

async function listIn(folder: string, span: ClockSpan) {
  const path = join(folder, 'index.m3u8')
  const list = readLiveList(await readFile(path, 'utf8'), pathToFileURL(path).href)
  if (!list) throw new Error(`The playlist in ${folder} cannot be read.`)
  return limitList(list, span)
}

const read = async (uri: string, range = { offset: 0, size: Number.POSITIVE_INFINITY }) =>
  (await readFile(fileURLToPath(uri))).subarray(range.offset, range.offset + range.size)

describe('a clip of the segments that a broadcast keeps', () => {
  it.each(['of one file', 'of a ladder with separate audio'])('has exactly its frames, in sync: %s', async (form) => {
    const { folder, ffmpegPath } = await broadcast()
    const start = timeOf(frameAt(START))
    const timeOfFrame = (frame: number) => start + (1000 * frame) / FRAMES_PER_SECOND
    const span = { from: timeOfFrame(FROM), to: timeOfFrame(UNTIL) }
    const lists: LiveLists =
      form === 'of one file'
        ? { main: await listIn(folder, span) }
        : { main: await listIn(join(folder, '480p'), span), audio: await listIn(join(folder, 'audio'), span) }
    const opened = await openLiveSource(lists, span, read)
    const { content, encoded } = await cutClip(opened.source, opened.span, { ffmpegPath })
    const path = join(folder, 'clip.mp4')
    await writeFile(path, Buffer.concat(await Array.fromAsync(content())))

    const { frames, times } = await decodeEveryFrame(ffmpegPath, path)
    const shown = frames.map((picture) => readCellTimecode(picture, findCells(picture).get(0) as never) ?? Number.NaN)
    const first = frameAt(START) % 2 ** 24
    expect(shown.map((code) => code - first)).toEqual(Array.from({ length: UNTIL - FROM }, (_, index) => FROM + index))
    for (const [index, time] of times.entries()) expect(Math.abs(time - index / FRAMES_PER_SECOND)).toBeLessThan(0.001)
    expect(encoded).toBe(2 * GOP - FROM)

    const beeps = beepOnsets(await decodeTimedAudio(ffmpegPath, path), 0)
    const seconds = Array.from({ length: 20 }, (_, second) => Math.ceil(span.from / 1000) + second).filter(
      (second) => second * 1000 < span.to,
    )
    expect(beeps).toHaveLength(seconds.length)
    for (const [index, at] of beeps.entries())
      expect(Math.abs(at - ((seconds[index] ?? 0) - span.from / 1000))).toBeLessThan(AUDIO_FRAME)
  })
})
