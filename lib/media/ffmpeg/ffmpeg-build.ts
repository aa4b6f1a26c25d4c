import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { MediaError } from '../media-error.ts'

export interface FfmpegBuild {
  /** One word: `5.1.9-0+deb12u1`, `n7.0-7-gd38bf5e08e`. */
  readonly version: string
  /** False for a build before 5.1, which works, but whose demuxers and decoders lack years of security fixes. */
  readonly isSupported: boolean
  /** The output option for frame times: `-fps_mode` exists since 5.1, and 9.0 has removed `-vsync`. */
  readonly frameTiming: '-fps_mode' | '-vsync'
}

/** Version of libavutil in FFmpeg 5.1. Builds from git have no version number, but state that of each library. */
const OLDEST_SUPPORTED = { major: 57, minor: 28 } as const

const builds = new Map<string, Promise<FfmpegBuild>>()

/** Runs an ffmpeg, once per process, for its version and features. @throws {@link MediaError} when it does not start */
export function readFfmpegBuild(path: string): Promise<FfmpegBuild> {
  const known = builds.get(path)
  if (known) return known
  const build = queryBuild(path)
  builds.set(path, build)
  build.catch(() => builds.delete(path))
  return build
}

/** Returns the version of an ffmpeg as one word: another version may encode the same picture to other bytes. */
export const ffmpegVersion = async (path: string): Promise<string> => (await readFfmpegBuild(path)).version

async function queryBuild(path: string): Promise<FfmpegBuild> {
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

/** A build that does not state libavutil counts as current. */
function isFrom51On(stated: string): boolean {
  const [, major, minor] = (/^libavutil\s+(\d+)\.\s*(\d+)\./m.exec(stated) ?? []).map(Number)
  if (major === undefined || minor === undefined) return true
  return major > OLDEST_SUPPORTED.major || (major === OLDEST_SUPPORTED.major && minor >= OLDEST_SUPPORTED.minor)
}

/**
 * Returns the environment of an ffmpeg process: only the path of libraries for a dynamically linked build. Demuxers and
 * decoders read media from outside and must find no credentials (on Lambda those of the function’s role).
 */
export function ffmpegEnvironment({ LD_LIBRARY_PATH }: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }
}
