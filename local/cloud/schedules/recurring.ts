import { type Clock, getAhead, type Timer } from '../../../lib/clock.ts'
import type { Recurrence } from './cron.ts'

/** A recurring action that can be stopped. */
export type Recurring = ReturnType<typeof startRecurring>

export interface RecurringOptions {
  readonly clock: Clock
  readonly recurrence: Recurrence
  /** Times after this one count. Past ones are due at once. */
  readonly since: number
  readonly act: (time: number) => void
  /** Called after the last time. */
  readonly onOver?: () => void
}

/** Calls `act` at each time of a recurrence. Of the times that a clock passes when it is set ahead, only the first counts. */
export function startRecurring({ clock, recurrence, since, act, onOver }: RecurringOptions) {
  let timer: Timer | undefined
  let hasEnded = false
  const wait = (last: number) => {
    if (hasEnded) return
    const next = recurrence.after(last)
    if (next === undefined) return onOver?.()
    const ahead = getAhead()
    timer = clock.at(next, () => {
      act(next)
      wait(getAhead() === ahead ? next : Math.max(next, clock.now()))
    })
  }
  wait(since)
  return {
    end(): void {
      hasEnded = true
      timer?.cancel()
    },
  }
}
