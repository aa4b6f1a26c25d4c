import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_ADDED_ORDERS } from '../../../../lib/api/controls.ts'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, bringWaiting, call, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const phone = { name: 'phone', uri: 'sip:user@example.com' }
const dial = (body: unknown = phone, key?: string) =>
  call(world, 'POST /shows/a-show/dial-ins', { body, ...(key !== undefined && { key }) })
const dials = () => world.calls.filter((one) => one === 'POST /dial')
const isDial = isCall('POST', /\/dial$/)

describe('POST /shows/{id}/dial-ins', () => {
  it('dials a telephone and adds it to the show', async () => {
    await bringLive(world)
    const { status, body } = await dial()
    expect(status).toBe(200)
    expect(body.timeline).toMatchObject([{ what: 'control.dialIn', name: 'phone', detail: 'It was dialed.' }])
    const state = await stateOf(world)
    expect(state.dialIns).toMatchObject([
      { name: 'phone', status: 'dialed', connectionId: expect.any(String), order: { uri: phone.uri } },
    ])
    expect(state.timeline.map(({ what }) => what)).toEqual(['dialIn.started', 'control.dialIn'])
  })

  it('may bring the audience that a show waits for', async () => {
    await bringWaiting(world)
    expect((await dial()).status).toBe(200)
  })

  it('reads secrets by their references', async () => {
    await bringLive(world)
    world.keepShowSecret('phones', { password: 'hush' })
    const auth = { username: 'ada', password: { secret: 'phones#password' } }
    expect((await dial({ ...phone, auth })).status).toBe(200)
    expect(JSON.stringify(await stateOf(world))).not.toContain('hush')
  })

  it('names a secret that is not there, and may be asked for again once it is', async () => {
    await bringLive(world)
    const order = { ...phone, auth: { username: 'ada', password: { secret: 'phones#password' } } }
    expect(await dial(order, 'key')).toMatchObject({ status: 409, body: { detail: expect.stringContaining('phones') } })
    expect((await stateOf(world)).dialIns).toEqual([])
    world.keepShowSecret('phones', { password: 'hush' })
    expect((await dial(order, 'key')).status).toBe(200)
    expect(dials()).toHaveLength(1)
  })

  it('accepts a corrected order of the same name when no call was made', async () => {
    await bringLive(world)
    world.interceptors.platform = refusing(isDial, 400, 1)
    expect((await dial()).status).toBe(409)
    expect((await dial({ ...phone, uri: 'sip:other@example.com' })).status).toBe(200)
    expect((await stateOf(world)).dialIns).toMatchObject([
      { status: 'dialed', order: { uri: 'sip:other@example.com' } },
    ])
  })

  it('is not repeated when the platform’s answer was lost', async () => {
    await bringLive(world)
    world.interceptors.platform = losingAnswers(isDial)
    const first = await dial(phone, 'key')
    expect(first.body.timeline).toMatchObject([{ detail: expect.stringContaining('unknown') }])
    expect(await dial(phone, 'key')).toEqual(first)
    expect((await dial(phone)).status).toBe(409)
    expect(dials()).toHaveLength(1)
  })

  it.each([
    ['of one it has called', [], { name: 'phone' }],
    ['that its own order has', [{ name: 'phone', uri: 'sip:a@example.com' }], { name: 'phone' }],
  ])('refuses the name %s', async (_what, dialIns, { name }) => {
    await bringLive(world, { ...webinar, dialIns })
    if (dialIns.length === 0) await dial()
    expect(await dial({ ...phone, name })).toMatchObject({
      status: 409,
      body: { detail: 'The name phone is taken in this show. Choose another one.' },
    })
  })

  it('takes so many and no more', async () => {
    await bringLive(world)
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      dialIns: Array.from({ length: MAX_ADDED_ORDERS }, (_, index) => ({ name: `n${index}`, order: phone as never })),
    }))
    expect(await dial()).toMatchObject({
      status: 409,
      body: { detail: 'This show has reached its limit of 20 additions.' },
    })
  })

  it('refuses a header under a name that objects cannot hold', async () => {
    await bringLive(world)
    const headers = JSON.parse('{ "X-Room": "7", "__proto__": "8" }')
    expect(await dial({ ...phone, headers })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'headers.__proto__', message: 'is not a valid field name' }] },
    })
  })

  it('refuses an invalid order', async () => {
    await bringLive(world)
    expect(await dial({ name: 'phone', uri: 'tel:1' })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'uri' }] },
    })
  })
})
