import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { MediaError } from '../media-error.ts'
import { findInPath, isExecutable } from './executables.ts'
import { runFfmpeg } from './ffmpeg.ts'

/**
 * Finds ffmpeg: `FFMPEG_PATH`, else the one in `PATH`, else the build of an optional npm package.
 * @throws {@link MediaError} when there is none, or when FFMPEG_PATH names no executable file or another program
 */
export async function findFfmpeg(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment.FFMPEG_PATH
  if (named) {
    const fault = await faultOf(named)
    if (!fault) return named
    throw new MediaError(`FFMPEG_PATH is ${named}, which ${fault}: correct it or unset it.`)
  }
  const installed = await findInPath(['ffmpeg'], environment.PATH)
  if (installed !== undefined) return installed
  for (const path of bundledBuilds()) if (await isExecutable(path)) return path
  throw new MediaError('ffmpeg was not found: install it, set FFMPEG_PATH, or run npm ci with optional dependencies.')
}

/** Returns what is wrong with a configured path, as the end of a sentence; undefined for an ffmpeg. */
async function faultOf(path: string): Promise<string | undefined> {
  if (!(await isExecutable(path))) return 'is not an executable file'
  const words = await runFfmpeg(path, ['-version']).catch((error: MediaError) => error)
  if (words instanceof MediaError) return `does not work as ffmpeg (${words.message.replace(/\.$/, '')})`
  return words.includes('ffmpeg version') ? undefined : 'is not ffmpeg'
}

/** Names the packages with a build of ffmpeg for this machine: FFmpeg 7.0 (Linux on x64), then one of 2018. */
const packages = () => {
  const machine = `${process.platform}-${process.arch}`
  return [`@ffmpeg-binary/${machine}`, `@ffmpeg-installer/${machine}`]
}

function bundledBuilds(): string[] {
  const { resolve } = createRequire(import.meta.url)
  return packages().flatMap((name) => {
    try {
      return join(dirname(resolve(`${name}/package.json`)), 'ffmpeg')
    } catch {
      return [] // optional dependency left out, or an unsupported platform
    }
  })
}
