import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { MediaError } from '../media-error.ts'
import { ffmpegEnvironment } from './ffmpeg-environment.ts'

/** What one build of ffmpeg reports about itself. */
export interface FfmpegBuild {
  /** As one word: `5.1.9-0+deb12u1`, `n7.0-7-gd38bf5e08e`. */
  readonly version: string
  /** False for a build before 5.1: it works, but its demuxers and decoders lack the security fixes of years. */
  readonly isSupported: boolean
  /** The output option that says what becomes of frame times: `-vsync` is gone in 9.0, and `-fps_mode` came with 5.1. */
  readonly frameTiming: '-fps_mode' | '-vsync'
}

/** Version of libavutil in FFmpeg 5.1. Builds from git have no version number of their own, but state that of each library. */
const OLDEST_SUPPORTED = { major: 57, minor: 28 } as const

const builds = new Map<string, Promise<FfmpegBuild>>()

/**
 * Returns what an ffmpeg reports about itself. It is asked once per path and process.
 * @throws MediaError when it does not start or states no version
 */
export function readFfmpegBuild(path: string): Promise<FfmpegBuild> {
  const known = builds.get(path)
  if (known) return known
  const build = askForBuild(path)
  builds.set(path, build)
  build.catch(() => builds.delete(path))
  return build
}

/**
 * Returns the version of an ffmpeg as one word; another version may encode the same picture to other bytes.
 * @throws MediaError when it does not start or states no version
 */
export const ffmpegVersion = async (path: string): Promise<string> => (await readFfmpegBuild(path)).version

async function askForBuild(path: string): Promise<FfmpegBuild> {
  const { stdout } = await promisify(execFile)(path, ['-version'], { env: ffmpegEnvironment() }).catch((cause) => {
    throw new MediaError(`ffmpeg at ${path} does not state its version (${(cause as Error).message.trim()}).`, {
      cause,
    })
  })
  const [, version] = /^ffmpeg version (\S+)/.exec(stdout) ?? []
  if (!version) throw new MediaError(`The program at ${path} does not state which version of ffmpeg it is.`)
  const isSupported = isFrom51On(stdout)
  return { version, isSupported, frameTiming: isSupported ? '-fps_mode' : '-vsync' }
}

/** Without a line about libavutil it is taken for a current build. */
function isFrom51On(stated: string): boolean {
  const [, major, minor] = (/^libavutil\s+(\d+)\.\s*(\d+)\./m.exec(stated) ?? []).map(Number)
  if (major === undefined || minor === undefined) return true
  return major > OLDEST_SUPPORTED.major || (major === OLDEST_SUPPORTED.major && minor >= OLDEST_SUPPORTED.minor)
}
