import { readFfmpegBuild } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'

/**
 * Finds the ffmpeg of this machine, and warns about a build before 5.1: the one that npm brings for other machines than Linux on
 * x64 is of 2018.
 * @throws MediaError when there is none, or when FFMPEG_PATH names no executable file or another program
 */
export async function findLocalFfmpeg(
  warn: (words: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const path = await findFfmpeg(environment)
  const { version, isSupported } = await readFfmpegBuild(path)
  if (!isSupported)
    warn(
      `Warning: ffmpeg ${version} at ${path} lacks years of security fixes. Install ffmpeg 5.1 or later, or set FFMPEG_PATH to one.`,
    )
  return path
}
