import { readFileSync } from 'node:fs'

/** Clock ticks of the kernel's accounts: 100 in a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Seconds of processor time of this process, its threads, and all that it has started and that has ended since. */
export function cpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the name may hold anything; what follows begins with field 3
  const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (userOfChildren ?? 0) + (systemOfChildren ?? 0)) / TICKS_PER_SECOND
}
