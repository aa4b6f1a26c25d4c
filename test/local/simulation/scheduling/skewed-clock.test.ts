import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createSkewedClock } from '../../../../local/simulation/scheduling/skewed-clock.ts'

describe('createSkewedClock', () => {
  it.each([5, -5])('is %i s ahead, and waits as long as the other clock', async (seconds) => {
    const clock = createSteppedClock(1_000_000)
    const skewed = createSkewedClock(clock, seconds)
    const times: [number, number][] = []
    skewed.at(skewed.now() + 2_000, () => times.push([clock.now(), skewed.now()]))
    expect(skewed.nextDue()).toBe(skewed.now() + 2_000)
    const slept = skewed.sleep(3_000).then(() => times.push([clock.now(), skewed.now()]))
    await clock.advance(10_000)
    await slept
    expect(times).toEqual([
      [1_002_000, 1_002_000 + seconds * 1_000],
      [1_003_000, 1_003_000 + seconds * 1_000],
    ])
  })
})
