import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../lambdas/tell-owner.ts'
import { verifyShowrunnerCallback } from '../../lib/services/callback-verifier.ts'
import type { OwnerEvent } from '../../lib/workflow/owner-events.ts'
import { CALLBACK_SECRET, invoke, openWorld, type World, webinar } from '../support/world.ts'

const url = 'https://app.example.com/hooks/showrunner?key=the-key-of-the-app'
const event: OwnerEvent = {
  id: 'a-show/recording.started/program/1/',
  event: 'recording.started',
  at: '2026-11-20T09:00:00.000Z',
  showId: 'a-show',
  name: 'program',
  part: 1,
  labels: { course: 'a1' },
}

let world: World
/** What the app has got. */
let posts: Request[]
/** What it does with each. */
let app: (request: Request) => Response | Promise<Response>
beforeEach(async () => {
  world = openWorld()
  posts = []
  app = () => new Response(null, { status: 204 })
  world.interceptors.platform = async (request, pass) => {
    if (!request.url.startsWith('https://app.example.com/')) return pass()
    posts.push(request.clone())
    return app(request)
  }
  await world.accept({ ...webinar, callback: { url } })
})
afterEach(() => world.close())

/** As the rule gives it: with the flag that it goes by. */
const tell = (input: object = { ...event, callback: true }) => invoke(handler, world.services, { event: input })
const answering = (status: number, headers = {}) => {
  app = () => new Response(null, { status, headers })
}
/** As its owner does it, while functions live that have read it. */
const changeSecret = (secret: string) =>
  world.secrets.fetch(
    new Request('http://127.0.0.1', {
      method: 'POST',
      headers: { 'x-amz-target': 'secretsmanager.PutSecretValue' },
      body: JSON.stringify({
        SecretId: world.services.variable('CALLBACK_SECRET'),
        SecretString: JSON.stringify({ secret }),
      }),
    }),
  )
const verify = async (request: Request | undefined, secret = CALLBACK_SECRET) =>
  verifyShowrunnerCallback(
    { authorization: request?.headers.get('authorization') ?? undefined, body: (await request?.text()) ?? '' },
    { secret, url, clock: world.clock },
  )

describe('tellOwner', () => {
  it('posts the event as JSON, signed for its receiver, with its id to deduplicate by', async () => {
    expect(await tell()).toEqual({ id: event.id, outcome: 'told', status: 204 })
    const [post] = posts
    expect([post?.method, post?.url]).toEqual(['POST', url])
    expect(post?.headers.get('content-type')).toBe('application/json')
    expect(post?.headers.get('idempotency-key')).toBe(event.id)
    expect(post?.headers.get('x-showrunner-event')).toBe(event.id)
    expect(await post?.clone().json()).toEqual(event)
    const [, claims = ''] = post?.headers.get('authorization')?.match(/^Bearer [\w-]+\.([\w-]+)\.[\w-]+$/) ?? []
    const iat = world.clock.now() / 1000
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: 'showrunner',
      aud: 'https://app.example.com/hooks/showrunner',
      iat,
      exp: iat + 300,
      jti: event.id,
      payload_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await verify(post)).toEqual(event)
  })

  it('signs anew when it is repeated, since a token does not last', async () => {
    await tell()
    await world.clock.advance(3_600_000)
    await tell()
    expect(await verify(posts[1])).toEqual(event)
    await expect(verify(posts[0])).rejects.toMatchObject({ code: 'expired' })
  })

  it('takes 410 for the wish to be told no more of this show, which is no failure', async () => {
    answering(410)
    expect(await tell()).toEqual({ id: event.id, outcome: 'gone', status: 410 })
    expect(await world.services.shows.state('a-show')).toMatchObject({ callbackGoneAt: world.now() })
    answering(204)
    expect(await tell({ ...event, id: 'another' })).toEqual({ id: 'another', outcome: 'gone' })
    expect(posts).toHaveLength(1)
    await world.accept({ ...webinar, callback: { url } }, 'b-show')
    expect(await tell({ ...event, showId: 'b-show' })).toMatchObject({ outcome: 'told' })
  })

  it.each([400, 401, 404, 413, 422])('does not insist when the app answers %i, and says so', async (status) => {
    answering(status)
    expect(await tell()).toEqual({
      id: event.id,
      outcome: 'refused',
      status,
      reason: `It was answered with ${status}: correct the app, or the callback that the show names.`,
    })
    expect(posts).toHaveLength(1)
  })

  it.each([301, 302, 307, 308])('follows no redirect (%i)', async (status) => {
    answering(status, { location: 'https://app.example.com/elsewhere' })
    expect(await tell()).toMatchObject({ outcome: 'refused', status, reason: expect.stringContaining('redirect') })
    expect(posts).toHaveLength(1)
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('asks to be tried again after %i', async (status) => {
    answering(status)
    await expect(tell()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not take the event ${event.id} (${status}).`,
    })
  })

  it('asks to be tried again when nobody answers in ten seconds', async () => {
    app = () => new Promise(() => {})
    const telling = expect(tell()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not take the event ${event.id} (TIMEOUT).`,
    })
    while (posts.length === 0) await world.clock.advance(0)
    await world.clock.advance(10_000)
    await telling
  })

  it('asks to be tried again when there is no connection, and tells nothing of the URL but its host', async () => {
    app = () => {
      const cause = Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED' })
      throw new TypeError(`fetch failed: ${url}`, { cause })
    }
    await expect(tell()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not take the event ${event.id} (ECONNREFUSED).`,
    })
  })

  it('reads nothing of the answer, however much there is', async () => {
    let cancelled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel() {
        cancelled = true
      },
    })
    app = () => new Response(endless, { status: 200 })
    expect(await tell()).toMatchObject({ outcome: 'told' })
    expect(cancelled).toBe(true)
  })

  it('signs with the secret as it is now when the app does not trust it any more', async () => {
    await tell()
    const secret = 'the next secret of the callbacks'
    await changeSecret(secret)
    app = async (request) =>
      verify(request, secret).then(
        () => new Response(null, { status: 200 }),
        () => new Response(null, { status: 401 }),
      )
    expect(await tell()).toMatchObject({ outcome: 'told' })
    expect(posts).toHaveLength(3)
  })

  it('refuses events of shows that name no callback, and of none', async () => {
    await world.accept(webinar, 'another-show')
    await expect(tell({ ...event, showId: 'another-show' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'The show another-show names no callback.',
    })
    await expect(tell({ ...event, showId: 'no-show' })).rejects.toMatchObject({ name: 'TaskInputError' })
    await expect(tell({ ...event, showId: undefined })).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(posts).toEqual([])
  })

  it('calls public addresses only where it is deployed, whoever carries its other calls', async () => {
    await world.close()
    world = openWorld({ CALLBACK_REACH: 'public' })
    await world.accept({ ...webinar, callback: { url: 'http://app.example.com/hook' } })
    await world.accept({ ...webinar, callback: { url: 'https://127.0.0.1/hook' } }, 'b-show')
    await expect(tell()).rejects.toMatchObject({ name: 'TaskInputError', message: /https only/ })
    await expect(tell({ ...event, showId: 'b-show' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: '127.0.0.1 is no public address: callbacks go to hosts on the internet only.',
    })
    expect(world.calls).toEqual([])
  })
})
