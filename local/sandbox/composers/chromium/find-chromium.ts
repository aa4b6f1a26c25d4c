import { findInPath, isExecutable } from '../../../../lib/media/ffmpeg/executables.ts'

/** Names of Chromium in `PATH`, and the places of its applications on macOS. */
const NAMES = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'chrome']
const APPLICATIONS = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/**
 * Finds Chromium: `CHROME_PATH`, else the one in `PATH`. Returns undefined when there is none; it is never downloaded.
 * @throws Error when CHROME_PATH names no executable file
 */
export async function findChromium(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const named = environment.CHROME_PATH
  if (named && !(await isExecutable(named)))
    throw new Error(`CHROME_PATH is ${named}, which is not an executable file: correct it or unset it.`)
  if (named) return named
  const found = await findInPath(NAMES, environment.PATH)
  if (found !== undefined || process.platform !== 'darwin') return found
  for (const path of APPLICATIONS) if (await isExecutable(path)) return path
  return undefined
}
