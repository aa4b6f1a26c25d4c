import type { Clock, Timer } from '../../../../lib/clock.ts'
import { frameAt, timeOf } from '../timebase.ts'

/** Has everything drawn that falls due as the clock moves, for as long as there is an output that something is drawn for. */
export interface Driver {
  /** Something is drawn for the output from now on, if it was not already. */
  wake(outputId: string): void
  /** Nothing is drawn for the output until it is woken: it is paused, or over. */
  rest(outputId: string): void
}

/**
 * Makes a driver. It asks again only when the last answer is there: a clock that runs ahead of the machine makes the next
 * request reach further, not the queue longer. Hours in which nothing is drawn cost nothing.
 */
export function createDriver(clock: Clock, drawUntil: (time: number) => Promise<unknown>): Driver {
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
      // the engine has ended; every output hears of it
    } finally {
      isDrawing = false
    }
  }

  return {
    wake(outputId) {
      const isFirst = drawn.size === 0
      drawn.add(outputId)
      if (isFirst) tick()
    },
    rest(outputId) {
      drawn.delete(outputId)
      if (drawn.size === 0) timer?.cancel()
    },
  }
}

/** Whole milliseconds, so that a stepped clock shows no others. */
const nextFrameTime = (now: number) => Math.ceil(timeOf(frameAt(now + 1)))
