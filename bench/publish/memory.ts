import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds. The peak of a program that lives shorter is missed; looking more often would take time from what is measured. */
const BETWEEN_LOOKS = 40

/** Watches how much memory a process takes together with all that it has started, until it is told to stop. */
export function watchMemory(pid: number): { stop(): number } {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, memoryOfAll(pid))
  }
  look()
  const looking = setInterval(look, BETWEEN_LOOKS)
  return {
    stop() {
      clearInterval(looking)
      look()
      return peak
    },
  }
}

/** Bytes in memory, of a process and those that it has started. */
export const memoryOfAll = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + (one === pid ? memoryOf(pid) : memoryOfAll(one)), 0)

/** What a process has started and what still runs, by whichever of its threads. */
export const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

const memoryOf = (pid: number) => told(pid, /^VmRSS:\s+(\d+) kB$/m)

/** The most that a process alone has had in memory; getrusage would also tell of the one that it was forked from. */
export const peakOf = (pid: number): number => told(pid, /^VmHWM:\s+(\d+) kB$/m)

const told = (pid: number, line: RegExp) => Number(line.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

/** Nothing of a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
