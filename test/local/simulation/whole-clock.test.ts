import { describe, expect, it } from 'vitest'
import { createWholeClock } from '../../../local/simulation/whole-clock.ts'

describe('createWholeClock', () => {
  it('ends every wait at the next whole millisecond', async () => {
    const clock = createWholeClock(1_000)
    const times: number[] = []
    void clock.sleep(0.25).then(() => times.push(clock.now()))
    clock.at(1_001.5, () => times.push(clock.now()))
    await clock.advance(10)
    expect(times).toEqual([1_001, 1_002])
    expect(clock.now()).toBe(1_010)
  })

  it('keeps what comes first first', async () => {
    const clock = createWholeClock(0)
    const order: string[] = []
    clock.at(2.5, () => order.push('second'))
    clock.at(1.5, () => order.push('first'))
    await clock.advance(10)
    expect(order).toEqual(['first', 'second'])
  })
})
