import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isAlive } from './is-alive.ts'

/** Milliseconds between two polls of another process’s lock. */
const POLL = 50
/** Milliseconds after which the process of a lock has died, and its id belongs to another program. */
const STALE = 600_000

/**
 * Makes a path unless it exists. While one process makes it, others wait for it instead of doing the same work. Two may still
 * make it at once after a lock was removed as stale, so `make` has to create the path atomically.
 */
export async function makeOnce(path: string, make: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  const lock = `${path}.lock`
  mkdirSync(dirname(path), { recursive: true })
  for (;;) {
    if (existsSync(path)) return
    if (take(lock)) break
    await setTimeout(POLL, undefined, signal && { signal })
  }
  try {
    if (!existsSync(path)) await make()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Takes the lock, or returns false. Removes a lock whose process died. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (isStale(lock)) rmSync(lock, { force: true })
  return false
}

function isStale(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8')) // 0 while it is being written
    return (pid > 0 && !isAlive(pid)) || Date.now() - statSync(lock).mtimeMs > STALE
  } catch {
    return false // its process has just removed it
  }
}
