import { afterEach, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createQuiescence } from '../../../../local/simulation/scheduling/quiescence.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'
import { createOrderScheduler } from '../../../../local/simulation/scheduling/scheduler.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function open(seed = 1, onStep = () => false) {
  const quiescence = createQuiescence()
  closing.push(quiescence.close)
  const clock = createSteppedClock(0)
  return { clock, scheduler: createOrderScheduler({ quiescence, clock, random: createRandom(seed, 'order'), onStep }) }
}

describe('createOrderScheduler', () => {
  const ten = [...Array(10).keys()]
  const orderOf = async (seed: number) => {
    const { scheduler } = open(seed)
    const order: number[] = []
    await scheduler.drive(() => Promise.all(ten.map((one) => scheduler.pass(async () => order.push(one)))))
    return order
  }

  it('lets calls happen in the order the seed picks', async () => {
    const order = await orderOf(1)
    expect(order.toSorted((a, b) => a - b)).toEqual(ten)
    expect(await orderOf(1)).toEqual(order)
    expect(await orderOf(2)).not.toEqual(order)
  })

  it('lets one call come to its end before the next begins', async () => {
    const { scheduler } = open()
    const happened: string[] = []
    const call = (name: string) =>
      scheduler.pass(async () => {
        happened.push(`${name} begins`)
        await crypto.subtle.digest('SHA-256', new Uint8Array(100_000))
        happened.push(`${name} ends`)
      })
    await scheduler.drive(() => Promise.all([call('a'), call('b')]))
    const [first = '', second = ''] = happened[0]?.startsWith('a') ? ['a', 'b'] : ['b', 'a']
    expect(happened).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`])
    expect(scheduler.calls).toBe(2)
  })

  it('moves time only when no call waits', async () => {
    const { scheduler, clock } = open()
    const times: number[] = []
    await scheduler.drive(async () => {
      const sleeping = clock.sleep(1_000).then(() => times.push(clock.now()))
      for (let call = 0; call < 3; call++) await scheduler.pass(async () => times.push(clock.now()))
      await sleeping
    })
    expect(times).toEqual([0, 0, 0, 1_000])
  })

  it('hands on what a call rejects with', async () => {
    const { scheduler } = open()
    const failing = () => scheduler.pass(() => Promise.reject(new Error('refused')))
    await expect(scheduler.drive(failing)).rejects.toThrow('refused')
  })

  it('forgets calls of a caller that is gone', async () => {
    const { scheduler } = open()
    const caller = new AbortController()
    const happened: string[] = []
    await scheduler.drive(async () => {
      void scheduler.pass(async () => happened.push('of the one that is gone'), caller.signal)
      caller.abort()
      await scheduler.pass(async () => happened.push('of the one that stays'))
      await scheduler.pass(async () => {})
    })
    expect(happened).toEqual(['of the one that stays'])
    expect(scheduler.calls).toBe(2)
  })

  it('says so when nothing happens any more', async () => {
    const { scheduler } = open()
    await expect(scheduler.drive(() => new Promise(() => {}))).rejects.toThrow('The simulation is stuck')
  })

  it('rejects with the error of a check after a step', async () => {
    const { scheduler } = open(1, () => {
      throw new Error('two archives of one name')
    })
    await expect(scheduler.drive(() => scheduler.pass(async () => {}))).rejects.toThrow('two archives of one name')
  })
})
