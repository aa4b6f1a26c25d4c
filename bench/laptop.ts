import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, createBench, type Measurement, measurement } from './bench.ts'
import { cpuSeconds } from './media/cpu.ts'
import { childProcessesOf, memoryOfAll, watchMemory } from './publish/memory.ts'

/** A running `npm start`, in its own process. */
export interface LaptopStage {
  readonly pid: number
  /** Runs a show until it is published. */
  runShow(signal: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

export interface LaptopBenchOptions {
  readonly open: (signal: AbortSignal) => Promise<LaptopStage>
  /** Seconds that it is left alone before each figure. Unused functions end after 60. @default 75 */
  readonly rest?: number
  /** Seconds over which processor time is measured. @default 20 */
  readonly idle?: number
}

/** Megabytes, of the process and all that it has started. */
const MAX_MEMORY = 400
/** Percent of one core. */
const MAX_CPU = 2

/** Measures the memory and the processor time of an idle `npm start`, before a show and after one. */
export const createLaptopBench = ({ open, rest = 75, idle = 20 }: LaptopBenchOptions): Bench =>
  createBench(
    'memory and processor time of an idle `npm start`, before a show and after it',
    async (onStep, signal) => {
      onStep('starting it')
      const stage = await open(signal)
      const wait = (seconds: number) => sleep(seconds * 1000, undefined, { signal })
      const measureIdle = async (when: string): Promise<Measurement[]> => {
        onStep(`leaving it alone for ${rest} s`)
        await wait(rest)
        onStep(`measuring for ${idle} s`)
        const since = { cpu: cpuOfAll(stage.pid), time: performance.now() }
        await wait(idle)
        const seconds = (performance.now() - since.time) / 1000
        const percent = (100 * (cpuOfAll(stage.pid) - since.cpu)) / seconds
        return [
          measurement(`memory, idle ${when}`, 'MB', megabytes(memoryOfAll(stage.pid)), null, atMost(MAX_MEMORY)),
          measurement(`processor time, idle ${when}`, '%', percent, null, atMost(MAX_CPU)),
        ]
      }
      try {
        const before = await measureIdle('before a show')
        onStep('running a show of 20 s with two recordings')
        const memory = watchMemory(stage.pid)
        await stage.runShow(signal).finally(() => memory.stop())
        const peak = measurement('memory, peak of a show', 'MB', megabytes(memory.stop()), null)
        return [...before, peak, ...(await measureIdle('after a show'))]
      } finally {
        await stage.close()
      }
    },
  )

const atMost = (bound: number) => ({ atMost: bound, of: 'value' }) as const
const megabytes = (bytes: number) => bytes / 1e6

/** Returns the seconds of processor time of a process and all that it has started. */
export function cpuOfAll(pid: number): number {
  try {
    return [pid, ...childProcessesOf(pid)].reduce(
      (sum, one) => sum + (one === pid ? cpuSeconds(pid) : cpuOfAll(one)),
      0,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0 // it has just ended, and its parent counts it
    throw error
  }
}
