import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import type { BusEvent } from '../../../../local/cloud/events/events.ts'
import { createEventDelivery } from '../../../../local/simulation/chaos/event-delivery.ts'
import { createInjectedFaults } from '../../../../local/simulation/faults/faults.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'
import { createTrace } from '../../../../local/simulation/trace.ts'

/** Delivers ten events, and returns the time of each delivery. */
async function deliverTen(shares: { twice: number; late: number }) {
  const clock = createSteppedClock(0)
  const faults = createInjectedFaults({ decide: undefined, now: clock.now, trace: createTrace(clock) })
  const random = createRandom(1, 'events')
  const delivery = createEventDelivery({ ...shares, latest: 60 }, { clock, random, faults })
  const arrived: [name: string, at: number][] = []
  for (let number = 0; number < 10; number++) {
    const event = { source: 'showrunner', 'detail-type': `event ${number}` } as BusEvent
    delivery(event, () => arrived.push([event['detail-type'], clock.now()]))
  }
  await clock.advance(60_000)
  return { arrived, names: arrived.map(([name]) => name), faults }
}

describe('createEventDelivery', () => {
  it('delivers at once and once what is neither late nor twice', async () => {
    const { arrived, faults } = await deliverTen({ twice: 0, late: 0 })
    expect(arrived.map(([, at]) => at)).toEqual(Array(10).fill(0))
    expect(faults.counts).toEqual({})
  })

  it('delivers late, and therefore in another order', async () => {
    const { arrived, names, faults } = await deliverTen({ twice: 0, late: 1 })
    expect(names).toHaveLength(10)
    expect(names).not.toEqual(names.toSorted())
    for (const [, at] of arrived) expect(at > 0 && at <= 60_000).toBe(true)
    expect(faults.counts).toEqual({ 'event late': 10 })
  })

  it('delivers twice', async () => {
    const { names, faults } = await deliverTen({ twice: 1, late: 0 })
    expect(names).toHaveLength(20)
    expect(new Set(names).size).toBe(10)
    expect(faults.counts).toEqual({ 'event twice': 10 })
  })
})
