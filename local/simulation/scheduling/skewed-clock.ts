import type { SteppedClock } from '../../../lib/clock.ts'

/** Returns a view of a clock that is some seconds ahead of it. Both move together. */
export function createSkewedClock(clock: SteppedClock, seconds = 0): SteppedClock {
  if (seconds === 0) return clock
  const skew = seconds * 1000
  return {
    ...clock,
    now: () => clock.now() + skew,
    at: (time, act) => clock.at(time - skew, act),
    nextDue() {
      const due = clock.nextDue()
      return due === undefined ? undefined : due + skew
    },
  }
}
