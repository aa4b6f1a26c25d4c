import { readFileSync } from 'node:fs'

/** Clock ticks per second in the kernel’s accounts: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/**
 * Returns the seconds of processor time of a process, its threads, and its ended child processes.
 * @param pid @default this process
 */
export function cpuSeconds(pid: number | 'self' = 'self'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the name may have any characters; field 3 follows it
  const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (userOfChildren ?? 0) + (systemOfChildren ?? 0)) / TICKS_PER_SECOND
}
