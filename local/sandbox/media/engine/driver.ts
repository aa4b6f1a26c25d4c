import type { Clock, Timer } from '../../../../lib/clock.ts'
import { frameAt, timeOf } from '../timebase.ts'

/** Has everything drawn that falls due as the clock moves, for as long as somebody holds it. */
export interface Driver {
  hold(): void
  release(): void
}

/**
 * Makes a driver. It asks again only when the last answer is there: a clock that runs ahead of the machine makes the next
 * request reach further, not the queue longer.
 */
export function createDriver(clock: Clock, drawUntil: (time: number) => Promise<unknown>): Driver {
  let holders = 0
  let timer: Timer | undefined
  let isDrawing = false

  const tick = () => {
    timer = clock.at(nextFrameTime(clock.now()), tick)
    if (!isDrawing) void draw()
  }

  const draw = async () => {
    isDrawing = true
    try {
      let drawn: number
      do {
        drawn = clock.now()
        await drawUntil(drawn)
      } while (holders > 0 && frameAt(clock.now()) > frameAt(drawn))
    } catch {
      // the engine has ended; every output hears of it
    } finally {
      isDrawing = false
    }
  }

  return {
    hold() {
      if (holders++ === 0) tick()
    },
    release() {
      if (--holders === 0) timer?.cancel()
    },
  }
}

/** Whole milliseconds, so that a stepped clock shows no others. */
const nextFrameTime = (now: number) => Math.ceil(timeOf(frameAt(now + 1)))
