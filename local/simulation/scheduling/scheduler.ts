import type { SteppedClock } from '../../../lib/clock.ts'
import type { Quiescence } from './quiescence.ts'
import type { Random } from './random.ts'

export type OrderScheduler = ReturnType<typeof createOrderScheduler>

export interface OrderSchedulerOptions {
  readonly quiescence: Quiescence
  readonly clock: SteppedClock
  readonly random: Random
  /** Called after each step, when nothing is in flight. Returns true if it started something. An error ends the run. */
  readonly onStep: () => boolean
}

/**
 * Decides what happens next. Every call between parts of the world waits at one gate. When nothing is in flight, the
 * seed picks the call that continues. When none waits, time jumps to the next timer.
 */
export function createOrderScheduler({ quiescence, clock, random, onStep }: OrderSchedulerOptions) {
  const waiting: { readonly go: () => void; readonly gone: AbortSignal | undefined }[] = []
  let calls = 0

  /** Returns false if nothing is left to happen. */
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
    /** Runs `act` when it is picked. A caller whose signal is aborted gets neither the call nor an answer. */
    pass: <T>(act: () => Promise<T>, gone?: AbortSignal) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ gone, go: () => void act().then(resolve, reject) })
      }),
    /** Runs the simulation until `goal` settles. @throws Error when nothing can happen any more */
    drive: <T>(goal: () => Promise<T>) =>
      quiescence.enter(async () => {
        let reached = false
        const end = goal().finally(() => {
          reached = true
        })
        end.catch(() => {}) // handled below, where it is awaited
        for (;;) {
          await quiescence.settle()
          if (onStep()) await quiescence.settle()
          if (reached) return end
          if (!step()) throw new Error('The simulation is stuck: no call waits, and no timer is set.')
        }
      }),
  }
}
