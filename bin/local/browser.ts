import { spawn } from 'node:child_process'
import { findInPath } from '../../lib/media/ffmpeg/executables.ts'

/** Opens addresses in the browser of the user. */
export interface Browser {
  open(url: string): void
}

/** Programs that open an address, by platform. `wslview` opens the browser of Windows. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  linux: ['xdg-open', 'wslview'],
}

/**
 * Finds the program that opens the browser.
 * @param advice sentence of the error, for the user of a command without `--open`
 * @throws Error when there is none
 */
export async function findBrowser(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  advice = 'Leave --open out, and open the printed link.',
): Promise<Browser> {
  const names = PROGRAMS[platform] ?? []
  const program = await findInPath(names, environment.PATH)
  if (program === undefined)
    throw new Error(
      `No browser can be opened: ${names.join(' or ') || 'a program that does it'} was not found in PATH. ${advice}`,
    )
  return {
    open(url) {
      const child = spawn(program, [url], { detached: true, stdio: 'ignore' })
      child.on('error', () => {}) // the link is printed as well
      child.unref()
    },
  }
}
