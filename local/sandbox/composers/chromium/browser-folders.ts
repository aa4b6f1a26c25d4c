import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith, processStartOf } from './processes.ts'

interface Owner {
  readonly pid: number
  /** As {@link processStartOf} returns it, since another process may have reused the number. */
  readonly start: string
}

const OWNER = 'owner.json'
const PREFIX = 'browser-'
/** Milliseconds. */
const POLL_INTERVAL = 25

/** Returns the folder of all browsers of this user, in which a sandbox finds those of an earlier one. */
export const browsersFolder = (): string => join(tmpdir(), `showrunner-composers-${process.getuid?.() ?? 'user'}`)

/**
 * Creates the folder of a browser.
 * @throws Error when another user owns the folder of all browsers
 */
export async function createBrowserFolder(root: string) {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await requirePrivate(root)
  const owner: Owner = { pid: process.pid, start: (await processStartOf(process.pid)) ?? '' }
  const folder = await mkdtemp(join(root, PREFIX))
  await writeFile(join(folder, OWNER), JSON.stringify(owner))
  return { profile: profileIn(folder), remove: () => endBrowser(folder) }
}

/** Refuses a folder of another user, and a link: another user may have made it in the folder for temporary files. */
async function requirePrivate(root: string): Promise<void> {
  const info = await lstat(root)
  const { uid, mode } = info
  if (!info.isDirectory() || uid !== (process.getuid?.() ?? uid) || (mode & 0o077) !== 0)
    throw new Error(`The folder ${root} is open to other users: remove it.`)
}

const profileIn = (folder: string) => join(folder, 'profile')

/**
 * Ends the browsers whose sandbox does not run any more, and removes their folders.
 * @throws Error when another user owns the folder of all browsers
 */
export async function endLeftBrowsers(root: string): Promise<void> {
  const folders = await readdir(root).catch(() => undefined)
  if (!folders) return
  await requirePrivate(root)
  const ofBrowsers = folders.filter((name) => name.startsWith(PREFIX))
  await Promise.all(
    ofBrowsers.map(async (name) => {
      const folder = join(root, name)
      if (!(await isOwned(folder))) await endBrowser(folder)
    }),
  )
}

/** Returns false also for an incomplete note, whose writer was killed. */
async function isOwned(folder: string): Promise<boolean> {
  try {
    const { pid, start } = JSON.parse(await readFile(join(folder, OWNER), 'utf8')) as Owner
    return (await processStartOf(pid)) === start
  } catch {
    return false
  }
}

/** Kills the processes of a browser: their command line contains the path of its profile, which no other browser has. */
async function endBrowser(folder: string): Promise<void> {
  for (;;) {
    const pids = await processesWith(`--user-data-dir=${profileIn(folder)}`)
    if (pids.length === 0) break
    for (const pid of pids) kill(pid)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: POLL_INTERVAL })
}

/** Kills a process and, when it leads a group, those that it started. */
function kill(pid: number): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // it has just ended, or leads no group
    }
}
