import { type Clock, createSteppedClock } from '../../../../lib/clock.ts'

const INTERVAL = 5

/** Starts a clock in real time that a test sets forward. What is due before the new time happens first, in its order. */
export function startSkippingClock() {
  const stepped = createSteppedClock(Date.now())
  let last = Date.now()
  let moving = Promise.resolve()
  const skip = (ms: number) => {
    const moved = moving.then(() => stepped.advance(ms))
    moving = moved.catch(() => {}) // the clock continues
    return moved
  }
  const timer = setInterval(() => {
    const now = Date.now()
    void skip(Math.max(0, now - last))
    last = now
  }, INTERVAL)
  const clock: Clock = { now: stepped.now, at: stepped.at, sleep: stepped.sleep }
  return { clock, skip, stop: () => clearInterval(timer) }
}
