import type { Clock, Timer } from '../../../../lib/clock.ts'

/** Estimated round trip in milliseconds, of which RFC 3261 makes its timers (17.1.1.1). */
export const T1 = 500
/** Longest interval between retransmissions, in milliseconds. */
export const T2 = 4_000
/** Milliseconds that the network keeps a message. */
export const T4 = 5_000
/** Milliseconds after which a transaction without an answer ends. */
export const TIMEOUT = 64 * T1

/** Calls `act` after T1, and then after intervals that double up to `max` milliseconds, until it is cancelled. */
export function repeat(clock: Clock, act: () => void, max = Number.POSITIVE_INFINITY): Timer {
  let interval = T1
  const set = (): Timer =>
    clock.at(clock.now() + interval, () => {
      interval = Math.min(2 * interval, max)
      timer = set()
      act()
    })
  let timer = set()
  return { cancel: () => timer.cancel() }
}
