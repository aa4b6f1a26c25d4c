import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Surroundings of {@link cacheFolder}. */
export interface CacheSurroundings {
  /** @default that of this process */
  readonly environment?: NodeJS.ProcessEnv
  /** @default that of this machine */
  readonly platform?: NodeJS.Platform
}

/**
 * Finds, or creates, the folder for generated files that any run can make again: below the checkout, or in the user's cache
 * directory if the checkout cannot be written to.
 * @param kind its name, such as `bundles`
 * @throws Error when neither can be written to
 */
export function cacheFolder(
  checkout: string,
  kind: string,
  { environment = process.env, platform = process.platform }: CacheSurroundings = {},
): string {
  const own = platform === 'darwin' ? 'Library/Caches' : '.cache'
  const userCache = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), own)
  const folders = [join(checkout, '.showrunner', kind), join(userCache, 'showrunner', kind)]
  const found = folders.find(isWritable)
  if (found) return found
  throw new Error(`Neither ${folders.join(' nor ')} can be written to. Set XDG_CACHE_HOME to a folder for caches.`)
}

function isWritable(folder: string): boolean {
  try {
    make(folder)
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Replaces mkdir's `recursive`, which loops forever on a file system without folders (/proc). */
function make(folder: string): void {
  if (existsSync(folder)) return
  make(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // else another process has just created it
  }
}
