import type { Clock } from '../../lib/clock.ts'

/** A clock that tells when something its owner has waited for has come. */
export function createTellingClock(clock: Clock, tell: () => void): Clock {
  return {
    now: clock.now,
    at: (time, act) =>
      clock.at(time, () => {
        tell()
        act()
      }),
    async sleep(ms, signal) {
      await clock.sleep(ms, signal)
      tell()
    },
  }
}
