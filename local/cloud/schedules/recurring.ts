import type { Clock, Timer } from '../../../lib/clock.ts'
import type { Recurrence } from './cron.ts'

/** Something that happens again and again, until it is ended. */
export interface Recurring {
  end(): void
}

export interface RecurringOptions {
  readonly clock: Clock
  readonly recurrence: Recurrence
  /** Only times later than this count; those that have passed come at once. */
  readonly since: number
  readonly act: (time: number) => void
  /** Told when there is no time left. */
  readonly onOver?: () => void
}

/** Calls `act` with each time of a recurrence when it comes. */
export function startRecurring({ clock, recurrence, since, act, onOver }: RecurringOptions): Recurring {
  let timer: Timer | undefined
  let hasEnded = false
  const wait = (last: number) => {
    if (hasEnded) return
    const next = recurrence.after(last)
    if (next === undefined) return onOver?.()
    timer = clock.at(next, () => {
      act(next)
      wait(next)
    })
  }
  wait(since)
  return {
    end() {
      hasEnded = true
      timer?.cancel()
    },
  }
}
