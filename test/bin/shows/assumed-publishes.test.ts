import { describe, expect, it } from 'vitest'
import { assumePublishes } from '../../../bin/shows/assumed-publishes.ts'

describe('assumePublishes', () => {
  it('assumes that publishes run until the wait is over, from the first question on', async () => {
    let now = 1_000_000
    const publishes = assumePublishes(60_000, { now: () => now })
    expect(await publishes.statesOf(['a', 'b'])).toEqual(
      new Map([
        ['a', 'Publish'],
        ['b', 'Publish'],
      ]),
    )
    now += 59_999
    expect((await publishes.statesOf(['b'])).size).toBe(1)
    now += 1
    expect((await publishes.statesOf(['b'])).size).toBe(0)
  })
})
