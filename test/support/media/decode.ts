import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'
import { createPicture, type Picture } from '../../../local/sandbox/media/composing/picture.ts'
import { SAMPLES_PER_SECOND } from '../../../local/sandbox/media/timebase.ts'

export interface DecodeOptions {
  /** The size to scale to; a smaller one than the file's saves memory. */
  readonly width: number
  readonly height: number
  /** Where to begin and how much to take, in seconds; all by default. */
  readonly from?: number
  readonly seconds?: number
}

/** Decodes the pictures of an mp4 or an HLS playlist, 30 in a second from the first on: where one is missing the one before is repeated. */
export async function decodePictures(
  ffmpegPath: string,
  path: string,
  { width, height, from = 0, seconds }: DecodeOptions,
): Promise<Picture[]> {
  const start = from > 0 ? ['-ss', String(from)] : []
  const input = ['-i', path]
  const length = seconds === undefined ? [] : ['-t', String(seconds)]
  const size = ['-vf', `setpts=PTS-STARTPTS,scale=${width}:${height}`, '-pix_fmt', 'yuv420p']
  const bytes = await runFfmpeg(ffmpegPath, [
    // In playlists of fragmented MP4, ffmpeg finds nothing where it seeks: it decodes what is before as well.
    ...(path.endsWith('.m3u8') ? [...input, ...start] : [...start, ...input]),
    ...['-map', '0:v', ...length, ...size],
    ...['-r', '30', '-f', 'rawvideo', 'pipe:1'],
  ])
  const frameBytes = width * height * 1.5
  return Array.from({ length: bytes.length / frameBytes }, (_, index) =>
    createPicture(width, height, bytes.subarray(index * frameBytes, (index + 1) * frameBytes)),
  )
}

/** Decodes the audio as 48 kHz mono, every sample at its time in the file: where there is none it is silent. */
export async function decodeAudio(ffmpegPath: string, path: string): Promise<Int16Array> {
  const rate = String(SAMPLES_PER_SECOND)
  const bytes = await runFfmpeg(ffmpegPath, [
    ...['-i', path, '-map', '0:a', '-af', 'aresample=async=1:first_pts=0', '-ar', rate, '-ac', '1'],
    ...['-f', 's16le', 'pipe:1'],
  ])
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
