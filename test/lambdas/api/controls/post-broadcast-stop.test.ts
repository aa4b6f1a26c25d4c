import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { bringLive, call, stateOf } from '../call.ts'

let world: World
let sessionId: string
const live = { name: 'live', hls: {} }
const document = {
  ...{ version: 1 as const, name: 'Talk', duration: 3_600 },
  ...{ recordings: [{ name: 'program' }], broadcasts: [live, { name: 'overflow', hls: {} }] },
}
beforeEach(async () => {
  world = openWorld()
  sessionId = (await bringLive(world, document)).sessionId
})
afterEach(() => world.close())

const stop = (name = 'live', key?: string) =>
  call(world, `POST /shows/a-show/broadcasts/${name}/stop`, { body: {}, ...(key !== undefined && { key }) })
const running = async () =>
  ((await world.platform.call('listBroadcasts', { sessionId })).body.items as { multiBroadcastTag: string }[]).map(
    ({ multiBroadcastTag }) => multiBroadcastTag,
  )
/** Polls once and does what is due, like the watch machine. */
async function poll() {
  const { due, ...polled } = await run(world, 'watchShow', { showId: 'a-show', sessionId })
  if (due) await run(world, 'rollOver', { showId: 'a-show', sessionId, due })
  return { ...polled, due }
}

describe('POST /shows/{id}/broadcasts/{name}/stop', () => {
  it('stops one broadcast at once, and the show continues', async () => {
    const detail = 'The broadcast live is stopped.'
    expect(await stop()).toMatchObject({
      status: 200,
      body: { timeline: [{ what: 'control.stopBroadcast', name: 'live', detail }] },
    })
    expect(await running()).toEqual(['a-show/overflow/1'])
    expect(await poll()).toMatchObject({ over: false, due: null })
    const { broadcasts } = (await call(world, 'GET /shows/a-show')).body
    expect(broadcasts).toMatchObject([{ status: 'stopped', stopAskedAt: expect.any(String) }, { status: 'started' }])
  })

  it('refuses a broadcast that the show does not have', async () => {
    expect(await stop('other')).toMatchObject({
      status: 409,
      body: {
        code: 'change-refused',
        problems: [{ path: 'name', message: 'names no broadcast of the show: other' }],
      },
    })
  })

  it('is carried out once under one key, also after a lost answer of the platform', async () => {
    world.interceptors.platform = losingAnswers(isCall('POST', /\/stop$/))
    const [first, second] = [await stop('live', 'one'), await stop('live', 'one')]
    expect([first.status, second.body]).toEqual([200, first.body])
    expect((await stop('overflow', 'one')).body).toMatchObject({ code: 'idempotency-key-reused' })
    expect(await running()).toEqual(['a-show/overflow/1'])
  })

  it('leaves to the next poll what the platform does not stop at once', async () => {
    world.interceptors.platform = refusing(isCall('POST', /\/stop$/), 500)
    expect((await stop()).body.timeline[0].detail).toContain('stops within a minute')
    world.interceptors.platform = (_request, pass) => pass()
    expect((await poll()).due?.broadcasts).toEqual({ start: [], stop: [{ name: 'live', part: 1 }] })
    expect(await running()).toEqual(['a-show/overflow/1'])
  })

  it('starts no other part, and stops one that starts at the same time', async () => {
    world.interceptors.platform = async (request, pass) => {
      if (isCall('POST', /\/broadcast$/)(request)) await stop()
      return pass()
    }
    const due = { recordings: { start: [], stop: [] }, broadcasts: { start: [{ name: 'live', part: 2 }], stop: [] } }
    expect(await run(world, 'rollOver', { showId: 'a-show', sessionId, due })).toEqual({ started: 0, stopped: 0 })
    expect(await running()).toEqual(['a-show/overflow/1'])
    expect(await poll()).toMatchObject({ over: false, due: null })
  })

  it('lets another broadcast replace the only output of a show', async () => {
    const only = openWorld()
    const { sessionId: of } = await bringLive(only, { ...document, recordings: [], broadcasts: [live] })
    await call(only, 'POST /shows/a-show/broadcasts/live/stop', { body: {} })
    expect(await run(only, 'watchShow', { showId: 'a-show', sessionId: of })).toMatchObject({ over: false, due: null })
    const added = await call(only, 'POST /shows/a-show/broadcasts', { body: { name: 'live-2', hls: {} } })
    expect([added.status, (await stateOf(only)).broadcasts.length]).toEqual([200, 2])
    await only.close()
  })
})
