import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiRoutes, type RouteKey } from '../../../../lib/api/api.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, call, stateOf } from '../call.ts'

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
  it.each(keysOf('operator'))('keep viewers from %s, with a message', async (key) => {
    expect(await call(world, fill(key), { role: viewer })).toMatchObject({
      status: 403,
      body: {
        title: 'Insufficient role',
        detail: `${key} requires the role operator, and the token grants viewer. Its claim scope must contain showrunner/operator or showrunner/admin.`,
      },
    })
  })

  it.each(keysOf('admin'))('keep operators from %s, with a message', async (key) => {
    expect(await call(world, fill(key), { role: 'showrunner/viewer showrunner/operator' })).toMatchObject({
      status: 403,
      body: {
        detail: `${key} requires the role admin, and the token grants operator. Its claim scope must contain showrunner/admin.`,
      },
    })
  })

  it('keep operators only from making recordings of a show public', async () => {
    const body = { ...webinar, publish: { access: 'public' } }
    expect(await call(world, 'POST /shows', { body })).toMatchObject({
      status: 403,
      body: {
        detail: expect.stringMatching(/^A show with public recordings \(publish\.access\) requires the role admin/),
      },
    })
    const [first, ...others] = webinar.recordings
    const oneOfThem = { ...webinar, recordings: [...others, { ...first, publish: { access: 'public' } }] }
    expect(await call(world, 'POST /shows', { body: oneOfThem })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('(recordings[1].publish.access) requires the role admin') },
    })
    expect((await call(world, 'POST /shows', { body, role: 'showrunner/admin' })).status).toBe(202)
    expect((await call(world, 'POST /shows', { body: webinar })).status).toBe(202)
  })

  it.each([{ token_use: 'id' }, { typ: 'ID' }])('refuse an ID token: %j', async (claims) => {
    const words = 'The token is an ID token. Send the access token.'
    expect(await call(world, 'GET /shows', { claims })).toMatchObject({ status: 403, body: { detail: words } })
  })

  it.each([{ token_use: 'access' }, { typ: 'Bearer' }])('take an access token: %j', async (claims) => {
    expect((await call(world, 'GET /shows', { claims })).status).toBe(200)
  })

  it.each([undefined, '', 'a'.repeat(256)])('refuse a token without a subject: sub %j', async (sub) => {
    const words = 'The token has no subject. Its claim sub must identify the caller.'
    expect(await call(world, 'GET /shows', { claims: { sub } })).toMatchObject({
      status: 403,
      body: { detail: words },
    })
  })

  it.each(keysOf('viewer'))('let viewers through to %s', async (key) => {
    expect([200, 404]).toContain((await call(world, fill(key), { role: viewer })).status)
  })

  it('refuse all other callers', async () => {
    expect(await call(world, 'GET /shows', { role: 'openid operator' })).toMatchObject({
      status: 403,
      body: {
        detail:
          'The token grants no role. Its claim scope must contain showrunner/viewer, showrunner/operator or showrunner/admin.',
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

  it('give operators what admins may where a deployment calls both by one word', async () => {
    const other = openWorld({ ADMIN_ROLE: 'showrunner/operator' })
    const role = 'showrunner/operator'
    expect((await call(other, 'DELETE /recordings/an-archive', { role })).status).toBe(404)
    await other.close()
  })
})
