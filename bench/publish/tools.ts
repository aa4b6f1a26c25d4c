import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

export interface Tools {
  readonly ffmpegPath: string
  readonly ffprobePath: string
}

/**
 * Finds ffmpeg and ffprobe in the PATH. The npm package has no ffprobe, and its ffmpeg opens no URLs.
 * @throws Error when one of them is missing
 */
export async function findTools(path?: string): Promise<Tools> {
  const [ffmpegPath, ffprobePath] = await Promise.all([findProgram('ffmpeg', path), findProgram('ffprobe', path)])
  if (ffmpegPath && ffprobePath) return { ffmpegPath, ffprobePath }
  throw new Error('This bench needs Debian’s ffmpeg and ffprobe. Install them with: apt-get install ffmpeg')
}

/** Returns the path of a program; undefined when it is not installed. */
export async function findProgram(name: string, path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    const isThere = access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (folder && (await isThere)) return file
  }
  return undefined
}
