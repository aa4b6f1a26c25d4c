import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { createPicture, type Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { SAMPLES_PER_SECOND } from '../../../../local/sandbox/media/timebase.ts'

const [WIDTH, HEIGHT] = [320, 240]
const FRAME_BYTES = WIDTH * HEIGHT * 1.5
const TICKS = 90_000

export interface EveryFrame {
  readonly frames: readonly Picture[]
  /** Seconds, of each. */
  readonly times: readonly number[]
}

/** Decodes the pictures of a playlist: none is repeated or dropped for its time. */
export async function decodeEveryFrame(ffmpegPath: string, path: string): Promise<EveryFrame> {
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  const every = ['-map', '0:v:0', '-vf', `scale=${WIDTH}:${HEIGHT}`, '-pix_fmt', 'yuv420p', frameTiming, 'passthrough']
  const timed = ['-enc_time_base', `1:${TICKS}`, '-f', 'framecrc', 'pipe:3']
  const child = spawn(
    ffmpegPath,
    ['-nostdin', '-copyts', '-i', path, ...every, '-f', 'rawvideo', 'pipe:1', ...every, ...timed],
    { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] },
  )
  const [bytes, list] = await Promise.all([
    buffer(child.stdout as NodeJS.ReadableStream),
    text(child.stdio[3] as NodeJS.ReadableStream),
  ])
  const frames = Array.from({ length: bytes.length / FRAME_BYTES }, (_, index) =>
    createPicture(WIDTH, HEIGHT, bytes.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES)),
  )
  return { frames, times: linesOf(list).map(([, , time]) => Number(time) / TICKS) }
}

/** Decodes the audio from time 0 on, every sample at its time: where there is none it is silent. */
export async function decodeTimedAudio(ffmpegPath: string, path: string): Promise<Int16Array> {
  const bytes = await runFfmpeg(ffmpegPath, [
    ...['-copyts', '-i', path, '-map', '0:a', '-af', 'aresample=async=1:first_pts=0'],
    ...['-ar', String(SAMPLES_PER_SECOND), '-ac', '1', '-f', 's16le', 'pipe:1'],
  ])
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** Lists the times of a track's packets, in ticks. */
export const packetTimes = async (ffmpegPath: string, path: string, track: 'a' | 'v'): Promise<number[]> =>
  linesOf(await list(ffmpegPath, path, track, 'framecrc')).map(([, , time]) => Number(time))

/** Checksums of the picture's packets in stored order. */
export const packetData = async (ffmpegPath: string, path: string): Promise<string[]> =>
  linesOf(await list(ffmpegPath, path, 'v', 'framemd5')).map((fields) => fields.at(-1) ?? '')

const list = async (ffmpegPath: string, path: string, track: 'a' | 'v', format: string) =>
  String(await runFfmpeg(ffmpegPath, ['-i', path, '-map', `0:${track}:0`, '-c', 'copy', '-f', format, 'pipe:1']))

const linesOf = (listed: string): string[][] =>
  listed
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(/, */))
