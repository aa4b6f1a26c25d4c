import { describe, expect, it } from 'vitest'
import { listenNames, machineUser, removeLeftovers } from '../../../../bin/operations/listen/leftovers.ts'
import { subscribe } from '../../../../bin/operations/listen/subscription.ts'
import { BUS, openListenCloud } from './listen-cloud.ts'

/** No system gives a process this id. */
const ENDED = 2 ** 31 - 1

describe('removeLeftovers', () => {
  it('removes what killed processes of this user have left, and nothing else', async () => {
    const { clients, present } = openListenCloud()
    const owners = [['me', ENDED] as const, ['me', process.ppid] as const, ['another', ENDED] as const]
    for (const [user, pid] of owners) await subscribe(clients, listenNames(BUS, user, pid), {})
    expect(await present()).toHaveLength(6)
    expect(await removeLeftovers(clients, BUS, 'me')).toBe(2)
    const kept = [`listen-me-${process.ppid}`, `listen-another-${ENDED}`]
    expect(await present()).toEqual([...kept, ...kept.map((name) => `${BUS}-${name}`)])
    expect(await removeLeftovers(clients, BUS, 'me')).toBe(0)
  })

  it('removes what an earlier process with its own id has left', async () => {
    const { clients, present } = openListenCloud()
    await subscribe(clients, listenNames(BUS), {})
    expect(await removeLeftovers(clients, BUS)).toBe(2)
    expect(await present()).toEqual([])
  })
})

describe('listenNames', () => {
  it('fits the limits of AWS, for the longest bus', () => {
    const { rule, queue } = listenNames(`showrunner-${'x'.repeat(200)}`, machineUser(), ENDED)
    expect(rule).toMatch(/^[\w.-]{1,64}$/)
    expect(queue).toMatch(/^[\w-]{1,80}$/)
  })
})
