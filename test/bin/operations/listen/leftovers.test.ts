import { describe, expect, it } from 'vitest'
import { listenNames, machineUser, removeLeftovers } from '../../../../bin/operations/listen/leftovers.ts'
import { subscribe } from '../../../../bin/operations/listen/subscription.ts'
import { BUS, openListenCloud } from './listen-cloud.ts'

/** No system gives a process this id. */
const ENDED = 2 ** 31 - 1

describe('removeLeftovers', () => {
  it('removes what killed processes of this user have left, and nothing else', async () => {
    const { clients, present } = openListenCloud()
    const left = listenNames(BUS, 'me', ENDED)
    const kept = [listenNames(BUS, 'me', process.ppid), listenNames(BUS, 'another', ENDED)]
    for (const names of [left, ...kept]) await subscribe(clients, names, {})
    expect(await present()).toHaveLength(6)
    expect(await removeLeftovers(clients, BUS, 'me')).toBe(2)
    expect(await present()).toEqual([...kept.map(({ rule }) => rule), ...kept.map(({ queue }) => queue)])
    expect(await removeLeftovers(clients, BUS, 'me')).toBe(0)
  })

  it('removes what an earlier process with its own id has left, whose names SQS then refuses', async () => {
    const { clients, present } = openListenCloud()
    const left = listenNames(BUS)
    await subscribe(clients, left, {})
    expect(await removeLeftovers(clients, BUS)).toBe(2)
    expect(await present()).toEqual([])
    await expect(subscribe(clients, left, {})).rejects.toThrow('60 seconds')
    const own = listenNames(BUS)
    await subscribe(clients, own, {})
    expect(await present()).toEqual([own.rule, own.queue])
  })
})

describe('listenNames', () => {
  it('fits the limits of AWS, for the longest bus', () => {
    const { rule, queue } = listenNames(`showrunner-${'x'.repeat(200)}`, machineUser(), ENDED)
    expect(rule).toMatch(/^[\w.-]{1,64}$/)
    expect(queue).toMatch(/^[\w-]{1,80}$/)
  })
})
