import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../lib/clock.ts'

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
