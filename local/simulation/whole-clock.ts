import { createSteppedClock, type SteppedClock } from '../../lib/clock.ts'

/**
 * A stepped clock that stops at whole milliseconds only, as every clock of a machine does: waits with jitter are
 * fractions, and a time that has one is no time to S3 or the platform.
 */
export function createWholeClock(start: number): SteppedClock {
  const clock = createSteppedClock(start)
  return {
    ...clock,
    at: (time, act) => clock.at(Math.ceil(time), act),
    sleep: (ms, signal) => clock.sleep(Math.ceil(ms), signal),
  }
}
