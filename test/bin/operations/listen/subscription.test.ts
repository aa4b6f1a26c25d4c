import { describe, expect, it } from 'vitest'
import { listenNames } from '../../../../bin/operations/listen/leftovers.ts'
import { type EventChoice, subscribe } from '../../../../bin/operations/listen/subscription.ts'
import { BUS, ended, openListenCloud } from './listen-cloud.ts'

const names = listenNames(BUS, 'user')
const never = new AbortController().signal

async function listen(choice: EventChoice = {}) {
  const cloud = openListenCloud()
  return { ...cloud, subscription: await subscribe(cloud.clients, names, choice) }
}

describe('subscribe', () => {
  it('receives each owner event once, with the body of a callback', async () => {
    const { subscription, put, putOther } = await listen()
    await put(ended)
    await putOther('showrunner.platform', 'session.opened', { ...ended, event: 'session.opened' })
    await putOther('showrunner', 'show.ended', { showId: 'demo' })
    expect(await subscription.receive(0, never)).toEqual([ended])
    expect(await subscription.receive(0, never)).toEqual([])
  })

  it('receives the chosen events of the chosen show only', async () => {
    const { subscription, put } = await listen({ events: ['show.ended'], showId: 'demo' })
    await put({ ...ended, showId: 'other' })
    await put({ ...ended, event: 'session.opened' })
    await put(ended)
    expect(await subscription.receive(0, never)).toEqual([ended])
  })

  it('leaves nothing behind', async () => {
    const { subscription, present, put } = await listen()
    expect(await present()).toEqual([names.rule, names.queue])
    await subscription.close()
    expect(await present()).toEqual([])
    await put(ended)
  })

  it('removes the queue when the rule cannot be put', async () => {
    const { clients, present } = openListenCloud()
    await expect(subscribe(clients, { ...names, bus: 'none' }, {})).rejects.toThrow('There is no bus none.')
    expect(await present()).toEqual([])
  })
})
