import { readFfmpegBuild } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'

/**
 * Finds the ffmpeg of this machine, and warns about a build before 5.1. The build from npm is from 2018, except on Linux x64.
 * @throws MediaError when there is none, or FFMPEG_PATH does not name an ffmpeg
 */
export async function findLocalFfmpeg(
  warn: (message: string) => void,
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
