import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cutSeam } from '../../../../lib/media/joining/cut-seam.ts'
import { findOverlap } from '../../../../lib/media/joining/find-overlap.ts'
import { joinTracks } from '../../../../lib/media/joining/join-tracks.ts'
import { writeJoinedIframePlaylist, writeJoinedPlaylist } from '../../../../lib/media/joining/joined-playlist.ts'
import { planCuts } from '../../../../lib/media/joining/plan-cuts.ts'
import { segmentsOf, trackEnd } from '../../../../lib/media/joining/published-track.ts'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { readCellTimecode } from '../../../support/media/cells.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { useClips } from '../clips.ts'
import { entriesOf, totalDuration } from '../hls/rfc8216.ts'
import { type Part, publishedPart } from './published-part.ts'
import { recordStretches } from './rolled-over.ts'
import { decodeJoinedPictures, decodeJoinedSound } from './runs.ts'

/** Frames refer to later ones, so that a cut between keyframes has to mind their order. */
const encoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-g', '60', '-pix_fmt', 'yuv420p']
const LATER = 41
const SHIFT = LATER / 30
const FRAMES = 360
const SIZE = { width: 320, height: 240 }
const frameOf = (picture: Picture) => readCellTimecode(picture, { x: 0, y: 0, ...SIZE }) ?? Number.NaN

const clips = useClips()
let earlier: Part
let later: Part
beforeAll(async () => {
  const stretches = [
    { name: 'earlier.mp4', from: 0, until: 240 },
    { name: 'later.mp4', from: LATER, until: FRAMES },
  ]
  const parts = []
  for (const path of await recordStretches(clips, stretches, encoding))
    parts.push(await publishedPart(await clips.open(path), path))
  ;[earlier, later] = parts as [Part, Part]
})

describe('findOverlap', () => {
  const find = (expected: number, changes: { video?: undefined; audio?: undefined } = {}) =>
    findOverlap({ earlier: { ...earlier, ...changes }, later, expected, ffmpegPath: clips.ffmpegPath })

  it('finds by the picture which second it is, and by the sound the time to less than a millisecond', async () => {
    const found = await find(SHIFT + 1.3)
    expect(Math.abs((found?.shift ?? 0) - SHIFT)).toBeLessThan(0.001)
    expect(found?.confidence).toBeGreaterThan(0.8)
  })

  it('finds it to a frame by the picture alone', async () => {
    const found = await find(SHIFT - 1.2, { audio: undefined })
    expect(Math.abs((found?.shift ?? 0) - SHIFT)).toBeLessThan(0.5 / 30)
  })

  it('finds nothing where sound that comes again each second is all there is', async () => {
    expect(await find(SHIFT, { video: undefined })).toBeUndefined()
  })

  it('finds nothing where the parts do not overlap, or the overlap is another', async () => {
    expect(await find(12)).toBeUndefined()
    const swapped = findOverlap({ earlier: later, later: earlier, expected: 5, ffmpegPath: clips.ffmpegPath })
    expect(await swapped).toBeUndefined()
  })
})

describe('joinTracks', () => {
  let directory: string
  const joined = async (type: 'video' | 'audio') => {
    const cuts = planCuts(
      [earlier, later].map(({ video }, index) => ({
        end: trackEnd(video),
        starts: segmentsOf(video).map(({ start }) => start),
        shift: index * SHIFT,
      })),
    )
    const tracks = [earlier[type], later[type]]
    const result = await joinTracks(tracks, cuts, (part, place) => `${type}-seam-${part}-${place}.mp4`)
    for (const { uri, bytes } of result.seams) await writeFile(join(directory, uri), bytes)
    return result
  }
  beforeAll(async () => {
    directory = join(clips.directory, 'joined')
    await mkdir(directory)
  })

  it('lets the clock run on from frame to frame', async () => {
    const { parts } = await joined('video')
    const playlist = writeJoinedPlaylist(parts)
    const pictures = await decodeJoinedPictures(clips.ffmpegPath, join(directory, 'video.m3u8'), playlist)
    const shown = pictures.map(frameOf)
    expect(shown.map((frame) => frame - (shown[0] as number))).toEqual(Array.from({ length: FRAMES }, (_, n) => n))
    expect(totalDuration(playlist)).toBeCloseTo(FRAMES / 30, 5)
  })

  it('lets no beep be missed or heard twice, each a second after the last, within half a packet', async () => {
    const { parts } = await joined('audio')
    const path = join(directory, 'audio.m3u8')
    const beeps = beepOnsets(await decodeJoinedSound(clips.ffmpegPath, path, writeJoinedPlaylist(parts)), 0)
    expect(beeps).toHaveLength(FRAMES / 30)
    for (const [index, at] of beeps.slice(1).entries())
      expect(Math.abs(at - (beeps[index] as number) - 1)).toBeLessThan(0.0115)
  })

  it('names the objects of the parts, and makes nothing new but a segment in between', async () => {
    const { parts, seams } = await joined('video')
    expect(seams.map(({ uri }) => uri)).toEqual(['video-seam-0-0.mp4'])
    const playlist = writeJoinedPlaylist(parts)
    expect(entriesOf(playlist).map(({ uri, duration }) => [uri, duration])).toEqual([
      ['../earlier.mp4-hls/video-0.mp4', 6],
      ['video-seam-0-0.mp4', 1.366667],
      ['../later.mp4-hls/video-1.mp4', 4.633333],
    ])
    expect(playlist.match(/#EXT-X-DISCONTINUITY\n#EXT-X-MAP/g)).toHaveLength(1)
    const iframes = entriesOf(writeJoinedIframePlaylist(parts))
    expect(iframes.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(FRAMES / 30, 5)
    expect(await joined('video')).toEqual({ parts, seams })
  })
})

describe('cutSeam', () => {
  it('keeps every frame that is shown before the cut, wherever the cut lies among those that refer to one another', async () => {
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
