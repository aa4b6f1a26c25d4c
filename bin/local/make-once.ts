import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isAlive } from './is-alive.ts'

/** Milliseconds between two polls of another process’s lock. */
const POLL = 50
/** Milliseconds after which the process of a lock has died, and its id belongs to another program. */
const STALE = 600_000
/** Milliseconds by which the time of a process’s start may be wrong. Linux gives that of the boot in seconds. */
const INACCURACY = 2_000
/** Clock ticks per second in the kernel’s accounts: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

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
    const { mtimeMs } = statSync(lock)
    if (Date.now() - mtimeMs > STALE) return true
    return pid > 0 && (!isAlive(pid) || startOf(pid) > mtimeMs + INACCURACY)
  } catch {
    return false // its process has just removed it
  }
}

/**
 * Returns the start of a running process, in milliseconds since the epoch; 0 if the system does not say. Containers give the
 * same few ids again and again, also that of this process.
 */
function startOf(pid: number): number {
  if (pid === process.pid) return Date.now() - process.uptime() * 1000
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the name may have any characters; field 3 follows it
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1])
    return (boot + Number(fields[19]) / TICKS_PER_SECOND) * 1000 || 0
  } catch {
    return 0
  }
}
