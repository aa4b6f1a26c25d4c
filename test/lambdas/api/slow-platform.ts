import type { Interceptor } from '../../support/world/interceptors.ts'
import type { World } from '../../support/world.ts'

/** Milliseconds by which time passes at once. */
const STEP = 250

/** A platform that takes its time; nothing else takes any, however busy this machine is. */
export function slowPlatform(world: World) {
  let underWay = 0

  /** Has the platform answer after so many milliseconds, or never; until then, or until the caller gives up, time passes. */
  const answering =
    (milliseconds: number, answer: Interceptor): Interceptor =>
    async (request, pass) => {
      underWay++
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      if (Number.isFinite(milliseconds)) world.clock.at(world.clock.now() + milliseconds, resolve)
      request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true })
      await promise.finally(() => underWay--)
      return answer(request, pass)
    }

  /** Lets time pass while the platform is waited for, and tells how much it was. */
  async function timed<T>(work: Promise<T>): Promise<{ answer: T; seconds: number }> {
    let passed = 0
    let isOver = false
    const done = work.finally(() => {
      isOver = true
    })
    done.catch(() => undefined)
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      if (underWay === 0 || isOver) continue
      await world.clock.advance(STEP)
      passed += STEP
    }
    return { answer: await done, seconds: passed / 1000 }
  }
  return { answering, timed }
}
