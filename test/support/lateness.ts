import { readdirSync, readFileSync } from 'node:fs'
import { childProcessesOf } from '../../bench/publish/memory.ts'
import { type Clock, realClock } from '../../lib/clock.ts'

/** How late the machine ran a program, with everything that the program started. */
export interface LatenessMeter {
  /**
   * Returns how long the program waited for a processor between two times, in ms. It is never more than the time between
   * them: a limit holds for the rest, which is the time that the program took or slept of its own accord.
   * @param from milliseconds since the epoch
   * @param to @default now
   */
  between(from: number, to?: number): number
  stop(): void
}

export interface MeterParts {
  /** @default the real clock */
  readonly clock?: Clock
  /** Milliseconds that each thread has waited since it started. @default as Linux counts them */
  readonly waits?: (pid: number) => ReadonlyMap<string, number>
}

/** Milliseconds. Two threads that wait at once count twice within one tick, but never for more than the tick. */
const TICK = 100

/**
 * Starts to measure the lateness of a program. A tick counts what all threads of the program waited in the run queues
 * of Linux, also while a quota stopped them, or how late the tick itself was, if that is more.
 */
export function measureLateness(pid: number = process.pid, parts: MeterParts = {}): LatenessMeter {
  const { clock = realClock, waits = waitsOf } = parts
  const ticks: { readonly from: number; readonly to: number; readonly late: number }[] = []
  let last = { at: clock.now(), waited: waits(pid) }

  const read = (expectedAt: number) => {
    const next = { at: clock.now(), waited: waits(pid) }
    const waited = [...next.waited].reduce((sum, [id, ms]) => sum + ms - (last.waited.get(id) ?? 0), 0)
    const late = Math.min(next.at - last.at, Math.max(waited, next.at - expectedAt))
    ticks.push({ from: last.at, to: next.at, late })
    last = next
  }
  const tick = () => {
    read(due)
    due = last.at + TICK
    timer = clock.at(due, tick)
  }
  let due = last.at + TICK
  let timer = clock.at(due, tick)

  return {
    between(from, to = clock.now()) {
      read(Math.min(due, clock.now()))
      return ticks.reduce((sum, tick) => {
        const overlap = Math.min(to, tick.to) - Math.max(from, tick.from)
        return sum + Math.max(0, Math.min(tick.late, overlap))
      }, 0)
    },
    stop: () => timer.cancel(),
  }
}

/** Reads the time in run queues of the threads of a process and of all processes that it has started. */
function waitsOf(pid: number): Map<string, number> {
  const waits = new Map<string, number>()
  for (const one of [pid, ...descendantsOf(pid)])
    for (const thread of unlessGone(() => readdirSync(`/proc/${one}/task`)) ?? []) {
      const figures = unlessGone(() => readFileSync(`/proc/${one}/task/${thread}/schedstat`, 'latin1'))
      const [, nanoseconds = 0] = figures?.split(' ').map(Number) ?? [] // proc(5): on the processor, waiting, slices
      waits.set(thread, nanoseconds / 1e6)
    }
  return waits
}

const descendantsOf = (pid: number): number[] =>
  childProcessesOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

function unlessGone<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
