import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../lib/clock.ts'
import { createRateLimiter } from '../../../lib/records/rate-limiter.ts'
import { StorageError } from '../../../lib/tasks/errors.ts'
import { createRandom } from '../../../local/simulation/scheduling/random.ts'

const BEGINNING = Date.UTC(2030, 0, 1)
const SECOND = 1_000

/** Functions that share one bucket, whose requests take 30 ms, and one platform that throttles. */
function openFleet(callsPerSecond: number, answeredPerSecond = callsPerSecond) {
  const clock = createSteppedClock(BEGINNING)
  const bucket = { version: 0, value: undefined as unknown, requests: 0, isDown: false }
  const request = async () => {
    bucket.requests++
    await clock.sleep(30)
    if (bucket.isDown) throw new StorageError('The bucket does not answer.')
  }
  const storage = {
    async readDocument() {
      await request()
      return bucket.value === undefined ? undefined : { value: bucket.value, etag: String(bucket.version) }
    },
    async writeDocument(_key: string, value: unknown, etag: string | undefined) {
      await request()
      if (etag !== (bucket.value === undefined ? undefined : String(bucket.version))) return false
      bucket.value = value
      bucket.version++
      return true
    },
  }
  const random = createRandom(1, 'limiter').next
  const limiter = () =>
    createRateLimiter({ storage: () => storage as never, clock, random, callsPerSecond: () => callsPerSecond })
  const sent: { readonly at: number; readonly isRead: boolean; readonly isThrottled: boolean }[] = []
  /** Calls until the platform answers, as a task does that Step Functions repeats. Resolves with the time of the answer. */
  const call = async (one: ReturnType<typeof limiter>, isRead = false): Promise<number> => {
    for (;;) {
      if (await one.admit({ isRead })) {
        const at = clock.now()
        const recent = sent.filter((other) => !other.isThrottled && other.at > at - SECOND).length
        const isThrottled = recent >= answeredPerSecond
        sent.push({ at, isRead, isThrottled })
        if (!isThrottled) return at
        await one.noteThrottled()
      }
      await clock.sleep(random() * 4 * SECOND)
    }
  }
  return { clock, bucket, limiter, call, sent }
}

const throttledIn = (sent: readonly { readonly isThrottled: boolean }[]) =>
  sent.filter(({ isThrottled }) => isThrottled).length

describe('createRateLimiter', () => {
  it('sends no request to the bucket until the platform throttles', async () => {
    const { clock, bucket, limiter, call } = openFleet(100)
    const one = limiter()
    for (let number = 0; number < 60; number++) await call(one)
    expect(clock.now()).toBe(BEGINNING)
    expect(bucket.requests).toBe(0)
  })

  it('shares the rate between functions, and loses no call', async () => {
    const { clock, limiter, call, sent } = openFleet(50)
    const starting = Array.from({ length: 200 }, async () => {
      const one = limiter()
      for (let number = 0; number < 5; number++) await call(one)
    })
    await clock.advance(120 * SECOND)
    await Promise.all(starting)
    expect(sent.length - throttledIn(sent)).toBe(1_000)
    const later = sent.filter(({ at }) => at > BEGINNING + 5 * SECOND)
    expect(throttledIn(later) / later.length).toBeLessThan(0.15)
    const last = Math.max(...sent.map(({ at }) => at))
    expect((last - BEGINNING) / SECOND).toBeLessThan(60) // 20 s would use the rate fully
  })

  it('finds a rate that is lower than that of the settings', async () => {
    const { clock, limiter, call, sent } = openFleet(100, 10)
    const starting = Array.from({ length: 40 }, async () => {
      const one = limiter()
      for (let number = 0; number < 15; number++) await call(one)
    })
    await clock.advance(200 * SECOND)
    await Promise.all(starting)
    const later = sent.filter(({ at }) => at > BEGINNING + 20 * SECOND)
    expect(throttledIn(later) / later.length).toBeLessThan(0.5)
  })

  it('lets reads wait for calls that start or stop something', async () => {
    const { clock, limiter, call } = openFleet(10)
    const timed = Array.from({ length: 60 }, (_, index) => ({ one: limiter(), isRead: index % 2 === 0 }))
    const callAll = (isRead: boolean) =>
      Promise.all(
        timed
          .filter((each) => each.isRead === isRead)
          .map(async ({ one }) => {
            await one.noteThrottled()
            return call(one, isRead)
          }),
      )
    const answers = Promise.all([callAll(true), callAll(false)])
    await clock.advance(60 * SECOND)
    const [reads, changes] = await answers
    const middle = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length / 2] ?? 0
    expect(middle(reads)).toBeGreaterThan(middle(changes))
  })

  it('refuses a call that would have to wait for too long, or beyond its own deadline', async () => {
    const { clock, limiter, bucket } = openFleet(1)
    const one = limiter()
    const noted = one.noteThrottled()
    await clock.advance(SECOND)
    await noted
    bucket.value = { ...(bucket.value as object), nextAt: new Date(clock.now() + 4 * SECOND).toISOString() }
    const outcomes: Record<string, boolean> = {}
    void one
      .admit({ isRead: false, until: clock.now() + 2 * SECOND })
      .then((is) => Object.assign(outcomes, { soon: is }))
    await clock.advance(SECOND)
    void one.admit({ isRead: false }).then((is) => Object.assign(outcomes, { later: is }))
    await clock.advance(20 * SECOND)
    expect(outcomes).toEqual({ soon: false, later: true })
  })

  it('limits nothing while the bucket fails, and again a minute after the last throttled call', async () => {
    const { clock, limiter, bucket } = openFleet(1)
    const one = limiter()
    bucket.isDown = true
    const noted = one.noteThrottled()
    await clock.advance(SECOND)
    await noted
    expect(await one.admit({ isRead: false })).toBe(true)
    bucket.isDown = false
    await clock.advance(40 * SECOND)
    const again = one.noteThrottled()
    await clock.advance(SECOND)
    await again
    await clock.advance(61 * SECOND)
    const { requests } = bucket
    expect(await one.admit({ isRead: false })).toBe(true)
    expect(bucket.requests).toBe(requests)
  })
})
