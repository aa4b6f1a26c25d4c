import type { Clock, Timer } from '../../../../lib/clock.ts'
import { frameAt, timeOf } from '../timebase.ts'

/**
 * Creates the driver of the engine, which requests rendering up to the current clock time while at least one output is active.
 * It sends the next request only after the last answer: if the clock runs ahead of the machine, the next request reaches
 * further and the queue stays short. Hours without an active output cost nothing.
 */
export function createDriver(clock: Clock, drawUntil: (time: number) => Promise<unknown>) {
  const drawn = new Set<string>()
  let timer: Timer | undefined
  let isDrawing = false

  const tick = () => {
    timer = clock.at(nextFrameTime(clock.now()), tick)
    if (!isDrawing) void draw()
  }

  const draw = async () => {
    isDrawing = true
    try {
      let until: number
      do {
        until = clock.now()
        await drawUntil(until)
      } while (drawn.size > 0 && frameAt(clock.now()) > frameAt(until))
    } catch {
      // the engine has ended; every output is notified
    } finally {
      isDrawing = false
    }
  }

  return {
    wake(outputId: string): void {
      const isFirst = drawn.size === 0
      drawn.add(outputId)
      if (isFirst) tick()
    },
    /** Makes an output inactive: it is paused, or has stopped. */
    rest(outputId: string): void {
      drawn.delete(outputId)
      if (drawn.size === 0) timer?.cancel()
    },
  }
}

/** Returns whole milliseconds, so that a stepped clock shows no fractions. */
const nextFrameTime = (now: number) => Math.ceil(timeOf(frameAt(now + 1)))
