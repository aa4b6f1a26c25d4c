import { afterEach, describe, expect, it } from 'vitest'
import { createSteppedClock, getAhead, realClock, setAhead, startTimeout } from '../../lib/clock.ts'

describe('createSteppedClock', () => {
  it('moves only when it is advanced, then fires timers in order of time and of setting', async () => {
    const clock = createSteppedClock(1000)
    const fired: string[] = []
    clock.at(3000, () => fired.push('late'))
    clock.at(2000, () => fired.push('first'))
    clock.at(2000, () => fired.push('second'))
    clock.at(2500, () => fired.push('never')).cancel()
    expect(clock.nextDue()).toBe(2000)
    await clock.advance(1500)
    expect([clock.now(), fired]).toEqual([2500, ['first', 'second']])
    expect(clock.step()).toBe(true)
    expect([clock.now(), fired.at(-1)]).toEqual([3000, 'late'])
    expect(clock.step()).toBe(false)
  })

  it('lets what a timer sets off set more timers within the same advance', async () => {
    const clock = createSteppedClock(0)
    const times: number[] = []
    const beat = async () => {
      for (let n = 0; n < 3; n++) {
        await clock.sleep(100)
        times.push(clock.now())
      }
    }
    const beating = beat()
    await clock.advance(1000)
    await beating
    expect(times).toEqual([100, 200, 300])
  })

  it('fires thousands of timers in order, without the cancelled ones', () => {
    const clock = createSteppedClock(0)
    const fired: number[] = []
    const timers = Array.from({ length: 5_000 }, (_, index) => {
      const time = (index * 7_919) % 5_000
      return { time, timer: clock.at(time, () => fired.push(time)) }
    })
    const kept = timers.filter(({ time, timer }) => time % 3 === 0 || timer.cancel())
    while (clock.step());
    expect(fired).toEqual(kept.map(({ time }) => time).sort((one, other) => one - other))
    expect(clock.nextDue()).toBeUndefined()
  })

  it('stops at whole milliseconds only', async () => {
    const clock = createSteppedClock(0)
    const sleeping = clock.sleep(0.4)
    clock.step()
    await sleeping
    expect(clock.now()).toBe(1)
  })

  it('rejects a sleep whose signal aborts and forgets its timer', async () => {
    const clock = createSteppedClock(0)
    const stop = new AbortController()
    const sleeping = clock.sleep(100, stop.signal)
    stop.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
    expect(clock.nextDue()).toBeUndefined()
  })
})

describe('setAhead', () => {
  const HOUR = 3_600_000
  afterEach(() => setAhead(0))

  it('sets every date of the thread ahead, and back', () => {
    const machine = Date
    const before = Date.now()
    setAhead(HOUR)
    expect(getAhead()).toBe(HOUR)
    const date = new Date()
    for (const time of [Date.now(), date.getTime(), realClock.now()]) {
      expect(time).toBeGreaterThanOrEqual(before + HOUR)
      expect(time).toBeLessThan(before + 2 * HOUR)
    }
    expect(new Date(5).getTime()).toBe(5)
    expect(new Date(2020, 1, 3).getDate()).toBe(3)
    expect(Date.UTC(1970, 0, 2)).toBe(24 * HOUR)
    expect([new Date(), new machine()].every((date) => date instanceof Date && date instanceof machine)).toBe(true)
    setAhead(0)
    expect(Date).toBe(machine)
  })

  it('fires the timers of the real clock that are due then, in order of time, and no others', async () => {
    const fired: string[] = []
    const start = Date.now()
    const note = (name: string) => fired.push(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timers = [
      realClock.at(start + 5 * HOUR, () => note('much later')),
      realClock.at(start + 2 * HOUR, () => resolve(void note('second'))),
      realClock.at(start + HOUR, () => note('first')),
      realClock.at(start + HOUR, () => note('cancelled')),
    ]
    timers[3]?.cancel()
    setAhead(2 * HOUR)
    await promise
    expect(fired).toEqual(['first', 'second'])
    for (const timer of timers) timer.cancel()
  })
})

describe('startTimeout', () => {
  afterEach(() => setAhead(0))

  it('acts once the clock has run for the time', async () => {
    const clock = createSteppedClock(1_000)
    const fired: number[] = []
    startTimeout(clock, 500, () => fired.push(clock.now()))
    startTimeout(clock, 500, () => fired.push(0)).cancel()
    await clock.advance(2_000)
    expect(fired).toEqual([1_500])
  })

  it('is not shortened when the clock is set ahead', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const startedAt = performance.now()
    startTimeout(realClock, 300, resolve)
    setAhead(3_600_000)
    await promise
    expect(performance.now() - startedAt).toBeGreaterThan(290)
  })
})
