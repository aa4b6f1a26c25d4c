import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { type AvcConfiguration, parseAvcConfiguration, toAnnexB } from './annex-b.ts'
import type { ByteSource } from './byte-source.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { MediaError } from './media-error.ts'
import { withMp4 } from './open-mp4.ts'
import { judgePicture } from './picture-quality.ts'

export interface PosterOptions {
  readonly ffmpegPath: string
  readonly source: ByteSource
  /** In pixels, at least 2; default 1280. A narrower video keeps its own width. */
  readonly width?: number
}

export interface Poster extends Size {
  readonly jpeg: Buffer
  /** Seconds into the recording. */
  readonly time: number
}

interface Keyframe {
  readonly time: number
  /** A byte stream that decodes on its own. */
  readonly annexB: Buffer
}

interface Size {
  readonly width: number
  readonly height: number
}

const CANDIDATES = 5
/** Judged on small pictures: detail that survives this is detail a viewer of a thumbnail sees. */
const JUDGED = { width: 160, height: 90 } as const
const JPEG = ['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'mjpeg'] as const
/** The same bytes on every machine with this ffmpeg: else it names itself in them and splits the picture by the cores it finds. */
const REPRODUCIBLE = ['-flags', '+bitexact', '-fflags', '+bitexact', '-threads', '1'] as const

/**
 * Makes a picture that stands for a recording: of up to five keyframes spread over it, the sharpest that is neither black nor
 * blank; when all are, still the sharpest. Reads the index and these keyframes only. Undefined when there is no video.
 * A rotation noted in the file is not applied.
 * @throws MediaError for a file that is no whole MP4, for video that is not H.264 or cannot be decoded, and when ffmpeg fails;
 *   whatever the source rejects with, unchanged
 */
export async function makePoster({ ffmpegPath, source, width = 1280 }: PosterOptions): Promise<Poster | undefined> {
  const video = await withMp4(source, async ({ input }) => {
    const track = await input.getPrimaryVideoTrack()
    return track && readCandidates(track)
  })
  const [first] = video?.keyframes ?? []
  if (!video || !first) return undefined
  const best = video.keyframes.length === 1 ? first : await pickBest(ffmpegPath, video.keyframes)
  const size = fitWidth(video, width)
  return { jpeg: await encodeJpeg(ffmpegPath, best, size), time: best.time, ...size }
}

async function readCandidates(track: InputVideoTrack) {
  const sink = new EncodedPacketSink(track)
  const start = (await sink.getFirstKeyPacket({ metadataOnly: true }))?.timestamp
  if (start === undefined) return undefined
  const configuration = await readConfiguration(track)
  const end = await track.computeDuration()
  const keyframes = new Map<number, Keyframe>() // by time, since a short recording has fewer keyframes than we try
  for (let n = 0; n < CANDIDATES; n++) {
    const time = start + ((n + 0.5) / CANDIDATES) * (end - start)
    const packet = await sink.getKeyPacket(time)
    if (!packet) throw new MediaError(`The file is cut off: the keyframe before second ${time.toFixed(3)} is missing.`)
    keyframes.set(packet.timestamp, { time: packet.timestamp, annexB: toAnnexB(packet.data, configuration) })
  }
  return {
    width: await track.getSquarePixelWidth(),
    height: await track.getSquarePixelHeight(),
    keyframes: [...keyframes.values()],
  }
}

async function readConfiguration(track: InputVideoTrack): Promise<AvcConfiguration> {
  const codec = await track.getCodec()
  if (codec !== 'avc') throw new MediaError(`A poster needs H.264 video, this is ${codec ?? 'of an unknown codec'}.`)
  const description = (await track.getDecoderConfig())?.description
  if (!description) throw new MediaError('The video cannot be decoded: the file has no H.264 configuration (avcC).')
  return parseAvcConfiguration(
    ArrayBuffer.isView(description)
      ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
      : new Uint8Array(description),
  )
}

async function pickBest(ffmpegPath: string, keyframes: readonly Keyframe[]): Promise<Keyframe> {
  const { width, height } = JUDGED
  // One frame a second in and out, stamped by count: whatever times the stream implies, none is dropped or doubled.
  const filter = `setpts=N/TB,scale=${width}:${height}:flags=area,format=yuv420p`
  const output = ['-vf', filter, '-r', '1', '-f', 'rawvideo', 'pipe:1']
  const streams = keyframes.map(({ annexB }) => annexB)
  const pictures = await decode(ffmpegPath, streams, output)
  const pictureSize = (width * height * 3) / 2 // brightness, then two colour planes of a quarter each
  if (pictures.length !== keyframes.length * pictureSize) {
    throw new MediaError(
      `Of ${keyframes.length} keyframes only ${Math.floor(pictures.length / pictureSize)} can be decoded.`,
    )
  }
  const judged = keyframes.map((keyframe, n) => {
    const luma = pictures.subarray(n * pictureSize, n * pictureSize + width * height)
    return { keyframe, ...judgePicture(luma, width, height) }
  })
  const worth = judged.filter(({ showsSomething }) => showsSomething)
  return (worth.length ? worth : judged).reduce((a, b) => (b.sharpness > a.sharpness ? b : a)).keyframe
}

async function encodeJpeg(ffmpegPath: string, { time, annexB }: Keyframe, size: Size): Promise<Buffer> {
  const filter = `scale=${size.width}:${size.height}:flags=bicubic+accurate_rnd+bitexact,format=yuvj420p`
  const jpeg = await decode(ffmpegPath, [annexB], ['-vf', filter, ...JPEG, ...REPRODUCIBLE, 'pipe:1'])
  if (jpeg.length === 0) throw new MediaError(`The keyframe at second ${time.toFixed(3)} cannot be decoded.`)
  return jpeg
}

const decode = (ffmpegPath: string, streams: readonly Buffer[], output: readonly string[]): Promise<Buffer> =>
  runFfmpeg(ffmpegPath, ['-f', 'h264', '-framerate', '1', '-i', 'pipe:0', ...output], streams)

/** Even numbers, since half of them are the size of the colour planes. */
function fitWidth(video: Size, width: number): Size {
  const fitted = Math.min(width, video.width)
  return { width: toEven(fitted), height: toEven((video.height * fitted) / video.width) }
}

const toEven = (length: number) => Math.max(2, Math.round(length / 2) * 2)
