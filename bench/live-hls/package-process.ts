import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg, startFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { encodingArguments } from '../../local/sandbox/media/encoding/arguments.ts'
import { packageLive } from '../../local/sandbox/media/packaging/packager.ts'
import { cpuSeconds } from '../media/cpu.ts'
import { givenByParent, serveParent } from '../subprocess.ts'

/** Options of the process. */
export interface PackageOptions {
  readonly ffmpegPath: string
  /** Empty folder. */
  readonly directory: string
}

/** Asks for the encoding of 1280x720, packaged by the sandbox or by ffmpeg. */
export interface PackageQuestion {
  readonly by: 'sandbox' | 'ffmpeg'
  /** Length of the media. */
  readonly seconds: number
}

/** Processor time of the encoding with its packaging. */
export interface PackageAnswer {
  readonly cpu: number
}

const SIZE = '1280x720'
/** Seconds of the pictures, which repeat. */
const LOOP = 2
/** Seconds of ffmpeg's segments. */
const FFMPEG_SEGMENT = 6

const { ffmpegPath, directory } = givenByParent<PackageOptions>()
const pictures = join(directory, 'pictures.yuv')
await runFfmpeg(ffmpegPath, [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${SIZE}:rate=30:duration=${LOOP}`],
  ...['-pix_fmt', 'yuv420p', '-f', 'rawvideo', pictures],
])
const samples = join(directory, 'samples.raw')
await runFfmpeg(ffmpegPath, [
  ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${LOOP}`],
  ...['-f', 's16le', samples],
])
let works = 0

serveParent({}, async ({ by, seconds }: PackageQuestion): Promise<PackageAnswer> => {
  const folder = join(directory, String(++works))
  await mkdir(folder)
  const target = { type: 'broadcast', hls: { directory: folder, startTime: 0 }, flv: false } as const
  const all = encodingArguments({ width: 1280, height: 720, hasAudio: true, hasVideo: true, target })
  const loop = ['-stream_loop', '-1', '-t', String(seconds)]
  const inputs = [
    ...[...loop, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', SIZE, '-r', '30', '-i', pictures],
    ...[...loop, '-f', 's16le', '-ar', '48000', '-ac', '1', '-i', samples],
  ]
  const muxer = all.lastIndexOf('-f')
  const hls = ['-f', 'hls', '-hls_time', String(FFMPEG_SEGMENT), '-hls_list_size', '0', join(folder, 'index.m3u8')]
  const args = [...inputs, ...all.slice(all.indexOf('-map'), muxer), ...(by === 'sandbox' ? all.slice(muxer) : hls)]
  const before = cpuSeconds()
  const { child, ended } = startFfmpeg(ffmpegPath, args, ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'])
  const fragments = child.stdio[4] as AsyncIterable<Buffer> & { resume(): void }
  if (by === 'sandbox') await packageLive(fragments, { directory: folder, startTime: 0, onPart() {} })
  else fragments.resume()
  await ended
  return { cpu: cpuSeconds() - before }
})
