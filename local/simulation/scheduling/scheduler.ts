import type { SteppedClock } from '../../../lib/clock.ts'
import type { Quiescence } from './quiescence.ts'
import type { Random } from './random.ts'

/**
 * Decides what happens next. Every call to the outside waits at one gate; when nothing is in flight any more, the seed
 * picks the one that goes on, and when none waits, time jumps to the next timer.
 */
export interface Scheduler {
  /** How many calls have passed the gate. */
  readonly calls: number
  /** Lets `act` happen when it is picked. A caller whose signal has aborted is gone: neither happens, nor hears of it. */
  pass<T>(act: () => Promise<T>, gone?: AbortSignal): Promise<T>
  /** Runs the simulation until `goal` is reached. @throws Error when it cannot be, since nothing happens any more */
  drive<T>(goal: () => Promise<T>): Promise<T>
}

export interface SchedulerOptions {
  readonly quiet: Quiescence
  readonly clock: SteppedClock
  readonly random: Random
  /** Looks at what a step has done, when nothing is in flight; true when that has set something off. What it throws ends the run. */
  readonly onStep: () => boolean
}

export function createScheduler({ quiet, clock, random, onStep }: SchedulerOptions): Scheduler {
  const waiting: { readonly go: () => void; readonly gone: AbortSignal | undefined }[] = []
  let calls = 0

  /** False when there is nothing left to happen. */
  const step = () => {
    const [picked] = waiting.length > 0 ? waiting.splice(random.below(waiting.length), 1) : []
    if (!picked) return clock.step()
    if (picked.gone?.aborted) return true
    calls++
    picked.go()
    return true
  }

  return {
    get calls() {
      return calls
    },
    pass: (act, gone) =>
      new Promise((resolve, reject) => {
        waiting.push({ gone, go: () => void act().then(resolve, reject) })
      }),
    drive: (goal) =>
      quiet.enter(async () => {
        let reached = false
        const end = goal().finally(() => {
          reached = true
        })
        end.catch(() => {}) // told below, where it is awaited
        for (;;) {
          await quiet.settle()
          if (onStep()) await quiet.settle()
          if (reached) return end
          if (!step()) throw new Error('The simulation stands still: nothing waits to happen, and no timer is set.')
        }
      }),
  }
}
