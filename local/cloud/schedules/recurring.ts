import type { Clock } from '../../../lib/clock.ts'
import type { Recurrence } from './cron.ts'

/** Something that happens again and again, until it is ended. */
export interface Recurring {
  end(): void
}

/** Calls `act` with each time of a recurrence that is later than `since`, when it comes; what has passed comes at once. */
export function startRecurring(
  clock: Clock,
  { after }: Recurrence,
  since: number,
  act: (time: number) => void,
): Recurring {
  let timer: ReturnType<Clock['at']> | undefined
  const wait = (last: number) => {
    const next = after(last)
    timer =
      next === undefined
        ? undefined
        : clock.at(next, () => {
            wait(next) // first, so that `act` may end it
            act(next)
          })
  }
  wait(since)
  return { end: () => timer?.cancel() }
}
