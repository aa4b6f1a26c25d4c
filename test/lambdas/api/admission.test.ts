import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiRoutes, type RouteKey } from '../../../lib/workflow/api.ts'
import { openWorld, type World } from '../../support/world.ts'
import { bringLive, call, stateOf } from './call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const keys = Object.keys(apiRoutes) as RouteKey[]
const keysOf = (role: string) => keys.filter((key) => apiRoutes[key].role === role)
const fill = (key: string) => key.replace('{id}', 'a-show').replace('{archiveId}', 'an-archive')
const viewer = 'openid showrunner/viewer'

describe('the roles of callers', () => {
  it.each(keysOf('operator'))('keep viewers from %s, in words', async (key) => {
    expect(await call(world, fill(key), { role: viewer })).toMatchObject({
      status: 403,
      body: {
        title: 'Forbidden',
        detail: `${key} is for operators, and your token makes you a viewer: its claim scope must hold showrunner/operator.`,
      },
    })
  })

  it.each(keysOf('viewer'))('let viewers through to %s', async (key) => {
    expect([200, 404]).toContain((await call(world, fill(key), { role: viewer })).status)
  })

  it('let nobody else in', async () => {
    expect(await call(world, 'GET /shows', { role: 'openid operator' })).toMatchObject({
      status: 403,
      body: {
        detail:
          'Your token gives you no role here: its claim scope must hold showrunner/viewer or showrunner/operator.',
      },
    })
  })

  it('leave a show alone that a viewer tries to stop', async () => {
    await bringLive(world)
    const before = await stateOf(world)
    expect((await call(world, 'POST /shows/a-show/stop', { role: viewer })).status).toBe(403)
    expect(await stateOf(world)).toEqual(before)
  })

  it('stand in the claim that the deployment names, by its own words', async () => {
    const changes = { ROLE_CLAIM: 'sub', VIEWER_ROLE: 'ada', OPERATOR_ROLE: 'grace' }
    const other = openWorld(changes)
    expect((await call(other, 'GET /shows', { sub: 'ada' })).status).toBe(200)
    expect((await call(other, 'GET /shows', { sub: 'eve' })).status).toBe(403)
    await other.close()
  })
})
