import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { cutPiece } from '../../../../lib/media/hls/cut-piece.ts'
import { type EncodedRendition, encodePiece } from '../../../../lib/media/hls/encode-piece.ts'
import { renditionsBelow, type SizedRendition } from '../../../../lib/media/hls/ladder.ts'
import { planPieces } from '../../../../lib/media/hls/pieces.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { readTimecode, TIMECODE_FIELDS, writeTimecode } from '../../../../local/sandbox/media/pattern/timecode.ts'
import { useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'

const SIZE = { width: 320, height: 180 }
const LADDER = [
  { name: '120p', height: 120, maxVideoBitrate: 300_000 },
  { name: '90p', height: 90, maxVideoBitrate: 200_000 },
]
const RENDITIONS = renditionsBelow(SIZE, LADDER)
const WHOLE = { start: 0, end: 1000 }
const RATE = 15

/** Frames that show their number as black and white bars. */
function* numberedFrames(count: number, { width, height } = SIZE) {
  for (let frame = 0; frame < count; frame++) {
    const fields = writeTimecode(frame)
    const row = Buffer.from(
      Array.from({ length: width }, (_, x) => (fields[Math.floor((x * TIMECODE_FIELDS) / width)] ? 235 : 16)),
    )
    yield Buffer.concat(Array.from({ length: height }, () => row))
  }
}

describe('encodePiece', () => {
  const clips = useClips()
  let path: string
  let source: ByteSource

  /** Encodes all pieces and joins what they give for each rendition into one file. */
  async function encodeAll(
    name: string,
    from: ByteSource,
    seconds: number,
    renditions: readonly SizedRendition[] = RENDITIONS,
  ) {
    const pieces = await planPieces(from, { seconds })
    const encoded: EncodedRendition[][] = []
    const bytes = new Map(renditions.map((rendition) => [rendition.name, [] as Buffer[]]))
    for (const piece of pieces) {
      const take = async (rendition: string, chunk: Buffer) => void bytes.get(rendition)?.push(chunk)
      encoded.push(await encodePiece(from, piece, renditions, take, clips))
    }
    const files = renditions.map((rendition, index) => {
      const init = encoded[0]?.[index]?.init as Buffer
      return {
        path: join(clips.directory, `${name}-${rendition.name}.mp4`),
        bytes: Buffer.concat([init, ...(bytes.get(rendition.name) ?? [])]),
      }
    })
    return { pieces, encoded, files }
  }

  const timesIn = async (file: string | Buffer) => {
    const input = typeof file === 'string' ? file : 'pipe:0'
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    const args = [
      '-copyts',
      '-i',
      input,
      '-map',
      '0:v',
      frameTiming,
      'passthrough',
      '-enc_time_base',
      '1:1000000',
      '-f',
      'framecrc',
      '-',
    ]
    const words = await runFfmpeg(clips.ffmpegPath, args, typeof file === 'string' ? [] : [file])
    return words
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('0,'))
      .map((line) => Number(line.split(',')[2]))
  }

  async function numbersIn(file: Buffer, { width, height }: SizedRendition) {
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    const args = ['-i', 'pipe:0', frameTiming, 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
    const pixels = await runFfmpeg(clips.ffmpegPath, args, [file])
    const size = width * height
    return Array.from({ length: pixels.length / size }, (_, frame) => {
      const row = frame * size + Math.floor(height / 2) * width
      const fields = Array.from({ length: TIMECODE_FIELDS }, (_, field) => {
        return (pixels[row + Math.floor(((field + 0.5) * width) / TIMECODE_FIELDS)] as number) > 126
      })
      return readTimecode(fields)
    })
  }

  beforeAll(async () => {
    path = join(clips.directory, 'numbered.mp4')
    const input = [
      '-f',
      'rawvideo',
      '-pix_fmt',
      'gray',
      '-s',
      `${SIZE.width}x${SIZE.height}`,
      '-r',
      String(RATE),
      '-i',
      'pipe:0',
    ]
    const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '30', '-pix_fmt', 'yuv420p']
    // Unsteady on purpose: each third frame is shown late.
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    const vary = [
      '-vf',
      'setpts=PTS+if(mod(N\\,3)\\,0\\,0.02/TB)',
      frameTiming,
      'passthrough',
      '-video_track_timescale',
      '90000',
    ]
    await runFfmpeg(clips.ffmpegPath, [...input, ...vary, ...codec, path], numberedFrames(RATE * 20))
    source = await clips.open(path)
  })

  it('gives every rendition each frame of the source at its time, across pieces', async () => {
    const { pieces, files } = await encodeAll('all', source, 7)
    expect(pieces.length).toBe(3)
    const times = await timesIn(path)
    expect(times).toHaveLength(RATE * 20)
    for (const [index, { bytes }] of files.entries()) {
      const rendition = RENDITIONS[index] as SizedRendition
      expect(await timesIn(bytes)).toEqual(times)
      expect(await numbersIn(bytes, rendition)).toEqual(Array.from({ length: RATE * 20 }, (_, frame) => frame))
    }
  })

  it('begins segments where copied ones begin, so that a player can switch', async () => {
    const { pieces, encoded } = await encodeAll('segments', source, 14)
    for (const [index, piece] of pieces.entries()) {
      const cut = await cutPiece(source, piece, async () => {})
      for (const rendition of encoded[index] ?? []) {
        const spans = (ranges: readonly { start: number; duration: number }[] = []) =>
          ranges.map(({ start, duration }) => [start.toFixed(5), duration.toFixed(5)])
        expect(spans(rendition.index.segments)).toEqual(spans(cut.video?.index.segments))
        expect(rendition.index.iframes.map(({ offset }) => offset)).toEqual(
          rendition.index.segments.map(({ offset }) => offset),
        )
      }
    }
    for (const [index, { init, codec }] of (encoded[0] ?? []).entries()) {
      expect(codec).toMatch(/^avc1\.4d40/)
      expect(encoded.every((renditions) => renditions[index]?.init.equals(init))).toBe(true)
    }
  })

  it('gives the same bytes again', async () => {
    const once = await encodeAll('once', source, 1000)
    const again = await encodeAll('again', source, 1000)
    expect(again.files.map(({ bytes }) => bytes)).toEqual(once.files.map(({ bytes }) => bytes))
  })

  it('continues when the picture changes its size and shape midway', async () => {
    const parts = ['320x180', '240x240'].map((size) => ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=15:duration=3`])
    const streams = await Promise.all(
      parts.map((input) =>
        runFfmpeg(clips.ffmpegPath, [
          ...input,
          '-c:v',
          'libx264',
          '-preset',
          'ultrafast',
          '-pix_fmt',
          'yuv420p',
          '-g',
          '15',
          '-f',
          'h264',
          'pipe:1',
        ]),
      ),
    )
    const changing = join(clips.directory, 'changing.mp4')
    await runFfmpeg(
      clips.ffmpegPath,
      ['-f', 'h264', '-framerate', '15', '-i', 'pipe:0', '-c', 'copy', '-bsf:v', 'dump_extra', changing],
      streams,
    )
    const { files } = await encodeAll('changing', await clips.open(changing), 1000)
    for (const { bytes } of files) expect(await timesIn(bytes)).toHaveLength(90)
  })

  it('returns nothing without video or renditions', async () => {
    expect(await encodePiece(source, WHOLE, [], async () => {}, clips)).toEqual([])
  })

  it('reports failures of the decoder, the source and the receiver of the bytes', async () => {
    const down = new Error('the bucket is down')
    await expect(encodePiece(source, WHOLE, RENDITIONS, () => Promise.reject(down), clips)).rejects.toBe(down)
    const counted = countReads(source)
    const breaking: ByteSource = {
      size: source.size,
      read: (start, end) => (counted.reads > 3 ? Promise.reject(down) : counted.read(start, end)),
    }
    await expect(encodePiece(breaking, WHOLE, RENDITIONS, async () => {}, clips)).rejects.toBe(down)
    const missing = encodePiece(source, WHOLE, RENDITIONS, async () => {}, {
      ffmpegPath: join(clips.directory, 'none'),
    })
    await expect(missing).rejects.toThrow(MediaError)
  })
})
