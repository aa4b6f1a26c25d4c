import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { cutSeam } from '../../../../lib/media/joining/cut-seam.ts'
import { findOverlap } from '../../../../lib/media/joining/find-overlap.ts'
import { writeJoinedIframePlaylist, writeJoinedPlaylist } from '../../../../lib/media/joining/joined-playlist.ts'
import { segmentsOf } from '../../../../lib/media/joining/published-track.ts'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { expectValidPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { expectValidPlaylists } from '../../../support/hls/read-presentation.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { readCellTimecode } from '../../../support/media/cells.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { useClips } from '../clips.ts'
import { entriesOf, totalDuration } from '../hls/rfc8216.ts'
import { decodeEveryFrame, decodeTimedAudio, packetData, packetTimes } from './decode-joined.ts'
import { type Part, publishedPart } from './published-part.ts'
import { recordStretches } from './rolled-over.ts'
import { joinParts, writeJoined } from './written-joined.ts'

/** Frames refer to later ones, so that a cut between keyframes has to mind their order. */
const encoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-g', '60', '-pix_fmt', 'yuv420p']
const inOrder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p']
const LATER = 41
const SHIFT = LATER / 30
const FRAMES = 360
const SIZE = { width: 320, height: 240 }
const frameOf = (picture: Picture) => readCellTimecode(picture, { x: 0, y: 0, ...SIZE }) ?? Number.NaN

const clips = useClips()
let earlier: Part
let later: Part
/** The same as the platform records it: frames come in the order in which they are shown. */
let plain: readonly Part[]
beforeAll(async () => {
  const stretches = [
    { name: 'earlier.mp4', from: 0, until: 240 },
    { name: 'later.mp4', from: LATER, until: FRAMES },
    { name: 'plain-earlier.mp4', from: 0, until: 240, encoding: inOrder },
    { name: 'plain-later.mp4', from: LATER, until: FRAMES, encoding: inOrder },
  ]
  const parts = []
  for (const path of await recordStretches(clips, stretches, encoding))
    parts.push(await publishedPart(await clips.open(path), path))
  ;[earlier, later, ...plain] = parts as [Part, Part, ...Part[]]
})

describe('findOverlap', () => {
  const find = (expected: number, changes: { video?: undefined; audio?: undefined } = {}) =>
    findOverlap({ earlier: { ...earlier, ...changes }, later, expected, ffmpegPath: clips.ffmpegPath })

  it('finds by the picture which second it is, and by the audio the time to less than a millisecond', async () => {
    const found = await find(SHIFT + 1.3)
    expect(Math.abs((found?.shift ?? 0) - SHIFT)).toBeLessThan(0.001)
    expect(found?.confidence).toBeGreaterThan(0.8)
  })

  it('finds it to a frame by the picture alone', async () => {
    const found = await find(SHIFT - 1.2, { audio: undefined })
    expect(Math.abs((found?.shift ?? 0) - SHIFT)).toBeLessThan(0.5 / 30)
  })

  it('finds nothing in audio that repeats each second', async () => {
    expect(await find(SHIFT, { video: undefined })).toBeUndefined()
  })

  it('finds nothing where the parts do not overlap, or the overlap is another', async () => {
    expect(await find(12)).toBeUndefined()
    const swapped = findOverlap({ earlier: later, later: earlier, expected: 5, ffmpegPath: clips.ffmpegPath })
    expect(await swapped).toBeUndefined()
  })
})

describe('joinTracks', () => {
  const joined = (type: 'video' | 'audio', parts: readonly Part[], startsTimeline?: (part: number) => boolean) =>
    joinParts(type, parts, SHIFT, startsTimeline)
  let master: string
  let reordered: string
  beforeAll(async () => {
    master = await writeJoined(join(clips.directory, 'joined'), plain, SHIFT)
    reordered = await writeJoined(join(clips.directory, 'reordered'), [earlier, later], SHIFT)
  })

  it('gives valid playlists', async () => {
    const readPlaylist = (uri: string) => readFile(join(dirname(master), uri), 'utf8')
    expect(await expectValidPlaylists(await readFile(master, 'utf8'), readPlaylist)).toBe(3)
  })

  it('gives what ffmpeg plays without a warning, by every playlist', async () => {
    for (const name of ['master', 'video', 'iframes', 'audio']) {
      const args = ['-v', 'warning', '-nostdin', '-i', join(dirname(master), `${name}.m3u8`), '-f', 'null', '-']
      expect((await promisify(execFile)(clips.ffmpegPath, args)).stderr, name).toBe('')
    }
  })

  it('lets the clock run on from frame to frame, each shown once at its time', async () => {
    const { frames, times } = await decodeEveryFrame(clips.ffmpegPath, master)
    const shown = frames.map(frameOf)
    expect(shown.map((frame) => frame - (shown[0] as number))).toEqual(Array.from({ length: FRAMES }, (_, n) => n))
    for (const [frame, time] of times.entries()) expect(Math.abs(time - frame / 30)).toBeLessThan(0.0005)
    expect(totalDuration(await readFile(join(dirname(master), 'video.m3u8'), 'utf8'))).toBeCloseTo(FRAMES / 30, 5)
  })

  it('lets it run on within one frame where frames refer to later ones', async () => {
    const pictures = await decodePictures(clips.ffmpegPath, reordered, SIZE)
    const [first = 0, ...others] = pictures.map(frameOf)
    const shown = [0, ...others.map((frame) => frame - first)]
    expect([...new Set(shown)]).toEqual(Array.from({ length: FRAMES }, (_, n) => n))
    for (const [n, frame] of shown.entries()) expect(Math.abs(frame - n)).toBeLessThanOrEqual(1)
  })

  it('lets no beep be missed or heard twice, each at the time of its flash, within half a packet', async () => {
    const beeps = beepOnsets(await decodeTimedAudio(clips.ffmpegPath, master), 0)
    expect(beeps).toHaveLength(FRAMES / 30)
    for (const [second, at] of beeps.entries()) expect(Math.abs(at - second)).toBeLessThan(0.0115)
  })

  it('lets packets of audio follow one another without a gap', async () => {
    const times = await packetTimes(clips.ffmpegPath, master, 'a')
    expect(times.length).toBeGreaterThan(FRAMES)
    expect(new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toEqual(new Set([1024]))
  })

  it('plays the first part by its own objects, and of the others changes nothing but the times', async () => {
    const { runs, objects } = await joined('video', [earlier, later])
    expect(objects.map(({ uri }) => uri)).toEqual(['video-seam-0-0.mp4', '20992-video-1.mp4'])
    const playlist = writeJoinedPlaylist(runs, 6)
    expect(entriesOf(playlist).map(({ uri, duration }) => [uri, duration])).toEqual([
      ['../earlier.mp4-hls/video-0.mp4', 6],
      ['video-seam-0-0.mp4', 1.366667],
      ['20992-video-1.mp4', 4.633333],
    ])
    expect(playlist).not.toContain('DISCONTINUITY')
    const iframes = entriesOf(writeJoinedIframePlaylist(runs))
    expect(iframes.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(FRAMES / 30, 5)
    const dataOf = (path: string) => packetData(clips.ffmpegPath, path)
    const packets = await dataOf(reordered)
    expect(packets.slice(-139)).toEqual((await dataOf(join(clips.directory, 'later.mp4'))).slice(-139))
  })

  it('plays a part by its own objects that needs another init segment, behind a discontinuity', async () => {
    const { runs, objects } = await joined('video', [earlier, later], () => true)
    expect(objects.map(({ uri }) => uri)).toEqual(['video-seam-0-0.mp4'])
    const playlist = writeJoinedPlaylist(runs, 6)
    expectValidPlaylist(playlist)
    expect(playlist.match(/#EXT-X-DISCONTINUITY\n#EXT-X-MAP/g)).toHaveLength(1)
    expect(entriesOf(playlist).at(-1)?.uri).toBe('../later.mp4-hls/video-1.mp4')
  })
})

describe('cutSeam', () => {
  it('keeps every frame that is shown before the cut, at any place among frames that refer to one another', async () => {
    const [segment] = segmentsOf(earlier.video)
    const init = await earlier.video.read(earlier.video.rendition.initUri)
    for (const frames of [91, 92, 93, 94]) {
      const seam = segment && (await cutSeam(earlier.video, segment, { until: frames / 30 }))
      const path = join(clips.directory, `seam-${frames}.mp4`)
      await writeFile(path, Buffer.concat([init, seam?.bytes ?? Buffer.alloc(0)]))
      const pictures = await decodePictures(clips.ffmpegPath, path, { ...SIZE, seconds: (frames - 0.5) / 30 })
      const shown = pictures.map(frameOf)
      expect(shown.map((frame) => frame - (shown[0] ?? 0))).toEqual(Array.from({ length: frames }, (_, n) => n))
      const [{ start, duration } = { start: -1, duration: -1 }] = seam?.index.segments ?? []
      expect([start, duration]).toEqual([0, expect.closeTo(frames / 30, 4)])
    }
  })

  it('leaves out a frame that would be shown for less than half its time', async () => {
    const [segment] = segmentsOf(later.video)
    const lengths = [60.3, 60.7].map(async (frames) => {
      const seam = segment && (await cutSeam(later.video, segment, { until: frames / 30 }))
      return seam?.index.iframes.length
    })
    expect(await Promise.all(lengths)).toEqual([1, 2]) // the one at 60 is a keyframe
  })
})
