import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler as notifyOwner } from '../../../../lambdas/operations/notify-owner.ts'
import { deliveryIdOf } from '../../../../lib/records/delivery-records.ts'
import { invoke, openWorld, type World, webinar } from '../../../support/world.ts'
import { call } from '../call.ts'

const url = 'https://app.example.com/hooks'
const id = 'a-show/session.opened///'

let world: World
/** What the app does with each callback. */
let app: () => Response | Promise<Response>
let posts: number
beforeEach(async () => {
  world = openWorld()
  posts = 0
  app = () => new Response(null, { status: 204 })
  world.interceptors.platform = async (request, pass) => {
    if (!request.url.startsWith(url)) return pass()
    posts += 1
    return app()
  }
  await world.accept({ ...webinar, callback: { url } })
  await world.services.shows.note('a-show', { what: 'session.opened' })
})
afterEach(() => world.close())

const list = async (query?: Record<string, string>) =>
  (await call(world, 'GET /shows/a-show/deliveries', { ...(query && { query }) })).body.items
const replay = (deliveryId = deliveryIdOf(id), showId = 'a-show') =>
  call(world, `POST /shows/${showId}/deliveries/${deliveryId}/replay`)
const notify = (event: unknown = { id, showId: 'a-show' }) => invoke(notifyOwner, world.services, { event })

describe('GET /shows/{id}/deliveries', () => {
  it('lists an event that was never sent as pending, and each attempt with its status, duration and body', async () => {
    expect(await list()).toMatchObject([{ deliveryId: deliveryIdOf(id), status: 'pending', attempts: [] }])
    app = async () => {
      await world.clock.advance(1_500)
      return new Response(null, { status: 503 })
    }
    await expect(notify()).rejects.toThrow('did not accept the event')
    app = () => new Response(null, { status: 204 })
    await notify()
    const { signing } = world.services.callbackKeys
    const { kid: keyId } = await signing()
    expect(await list()).toEqual([
      {
        deliveryId: deliveryIdOf(id),
        status: 'delivered',
        event: expect.objectContaining({ id, event: 'session.opened', stage: 'test' }),
        attempts: [
          { at: '2026-11-20T09:00:00.000Z', duration: 1.5, status: 503, keyId, verified: true },
          { at: '2026-11-20T09:00:01.500Z', duration: 0, status: 204, keyId, verified: true },
        ],
      },
    ])
  })

  it('names the failure of a connection, and nothing of its message', async () => {
    app = () => {
      throw Object.assign(new Error('connect 10.0.0.7'), { code: 'ECONNREFUSED' })
    }
    await expect(notify()).rejects.toThrow()
    const [{ status, attempts }] = await list()
    expect(status).toBe('failing')
    expect(attempts).toMatchObject([{ problem: 'ECONNREFUSED' }])
    expect(JSON.stringify(attempts)).not.toContain('10.0.0.7')
  })

  it('reports what an app refuses, and everything after an app wants no more', async () => {
    app = () => new Response(null, { status: 422 })
    await notify()
    expect(await list()).toMatchObject([{ status: 'refused' }])
    app = () => new Response(null, { status: 410 })
    await notify()
    await world.clock.advance(1_000)
    await world.services.shows.note('a-show', { what: 'show.ended' })
    expect(await list()).toMatchObject([
      { status: 'gone', attempts: [] },
      { status: 'gone', event: { id } },
    ])
    expect(await list({ limit: '1' })).toHaveLength(1)
  })

  it('delivers also while attempts cannot be recorded', async () => {
    world.interceptors.aws = async (request, pass) =>
      request.method === 'PUT' && request.url.includes('deliveries') ? new Response(null, { status: 403 }) : pass()
    expect(await notify()).toMatchObject({ outcome: 'accepted' })
    expect(posts).toBe(1)
  })

  it('refuses a show without a callback, and an unknown show', async () => {
    await world.accept(webinar, 'silent')
    expect(await call(world, 'GET /shows/silent/deliveries')).toMatchObject({
      status: 409,
      body: { code: 'no-callback' },
    })
    expect((await call(world, 'GET /shows/none/deliveries')).status).toBe(404)
  })
})

describe('POST /shows/{id}/deliveries/{deliveryId}/replay', () => {
  it('posts the event again, also after the app wanted no more', async () => {
    app = () => new Response(null, { status: 410 })
    await notify()
    expect(await notify()).toEqual({ id, outcome: 'gone' })
    app = () => new Response(null, { status: 204 })
    expect(await replay()).toMatchObject({ status: 202, body: { showId: 'a-show', deliveryId: deliveryIdOf(id) } })
    expect(world.replays).toMatchObject([{ detail: { id, stage: 'test', callback: true, replay: true } }])
    expect(world.ownerEvents).toHaveLength(1) // no other rule gets it again
    expect(await notify(world.replays[0]?.detail)).toMatchObject({ outcome: 'accepted' })
    expect(await list()).toMatchObject([{ status: 'delivered', attempts: [{ status: 410 }, { status: 204 }] }])
  })

  it('refuses an unknown delivery and a viewer', async () => {
    expect(await replay('0'.repeat(32))).toMatchObject({ status: 404, body: { code: 'unknown-delivery' } })
    const viewer = await call(world, `POST /shows/a-show/deliveries/${deliveryIdOf(id)}/replay`, {
      role: 'showrunner/viewer',
    })
    expect(viewer.status).toBe(403)
    expect(world.replays).toEqual([])
  })
})
