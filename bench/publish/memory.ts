import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds between samples. Shorter-lived programs are missed; more samples would distort the measurement. */
const BETWEEN_LOOKS = 40

/** Watches the memory of a process and its children, until it is stopped. */
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

/** Returns the bytes in memory of a process and its children. */
export const memoryOfAll = (pid: number): number =>
  [pid, ...childProcessesOf(pid)].reduce((sum, one) => sum + (one === pid ? memoryOf(pid) : memoryOfAll(one)), 0)

/** Returns the running children of a process, started by any of its threads. */
export const childProcessesOf = (pid: number): number[] =>
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

const memoryOf = (pid: number) => readBytes(pid, /^VmRSS:\s+(\d+) kB$/m)

/** Returns the peak memory of one process. getrusage would include the process that it was forked from. */
export const peakOf = (pid: number): number => readBytes(pid, /^VmHWM:\s+(\d+) kB$/m)

const readBytes = (pid: number, line: RegExp) => Number(line.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

/** Returns an empty text for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
