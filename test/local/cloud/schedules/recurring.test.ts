import { afterEach, describe, expect, it } from 'vitest'
import { createSteppedClock, realClock, setAhead } from '../../../../lib/clock.ts'
import { startRecurring } from '../../../../local/cloud/schedules/recurring.ts'

const MINUTE = 60_000
const everyMinute = { after: (last: number) => last + MINUTE }

describe('startRecurring', () => {
  afterEach(() => setAhead(0))

  it('acts at each time, and at past ones at once', async () => {
    const clock = createSteppedClock(10 * MINUTE)
    const times: number[] = []
    const recurring = startRecurring({
      clock,
      recurrence: everyMinute,
      since: 8 * MINUTE,
      act: (time) => times.push(time),
    })
    await clock.advance(2 * MINUTE)
    recurring.end()
    await clock.advance(2 * MINUTE)
    expect(times).toEqual([9, 10, 11, 12].map((minutes) => minutes * MINUTE))
  })

  it('acts once for all times that a clock passes when it is set ahead', async () => {
    const since = Date.now()
    const times: number[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const recurring = startRecurring({
      clock: realClock,
      recurrence: everyMinute,
      since,
      act: (time) => resolve(void times.push(time)),
    })
    setAhead(3 * 60 * MINUTE)
    await promise
    await realClock.sleep(10)
    recurring.end()
    expect(times).toEqual([since + MINUTE])
  })
})
