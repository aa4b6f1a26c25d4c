import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/operations/notify-owner.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { verifyShowrunnerCallback } from '../../../lib/operations/notifications/callback-verifier.ts'
import { readClip, writeClip } from '../../../lib/records/clip-records.ts'
import { CALLBACK_SECRET, invoke, openWorld, type World, webinar } from '../../support/world.ts'

const url = 'https://app.example.com/hooks/showrunner?key=the-key-of-the-app'
const event: OwnerEvent = {
  id: 'a-show/recording.started/program/1/',
  event: 'recording.started',
  at: '2026-11-20T09:00:00.000Z',
  stage: 'test',
  showId: 'a-show',
  name: 'program',
  part: 1,
  labels: { course: 'a1' },
}
/** The entry of that event in the timeline of a show. */
const entry = { what: 'recording.started', name: 'program', part: 1 } as const

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
  await acceptLive()
})
/** Records a show in whose timeline the event is. */
async function acceptLive(callback = url, showId = 'a-show') {
  await world.accept({ ...webinar, callback: { url: callback }, labels: { course: 'a1' } }, showId)
  await world.services.shows.note(showId, entry)
}
const idIn = (showId: string) => event.id.replace('a-show', showId)

afterEach(() => world.close())

/** The event as the rule sends it, with the flag that it matches. */
const notify = (input: object = { ...event, callback: true }) => invoke(handler, world.services, { event: input })
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
/** As an app does that holds nothing but the address of the public keys. */
const verifyByKeys = async (request: Request | undefined) =>
  verifyShowrunnerCallback(
    {
      signature: request?.headers.get('showrunner-signature') ?? undefined,
      body: (await request?.clone().text()) ?? '',
    },
    { keys: await world.services.callbackKeys.published(), url, clock: world.clock },
  )
const verify = async (request: Request | undefined, secret = CALLBACK_SECRET) =>
  verifyShowrunnerCallback(
    { authorization: request?.headers.get('authorization') ?? undefined, body: (await request?.text()) ?? '' },
    { secret, url, clock: world.clock },
  )

describe('notifyOwner', () => {
  it('posts the event as JSON, signed for its receiver, with its id to deduplicate by', async () => {
    expect(await notify()).toEqual({ id: event.id, outcome: 'accepted', status: 204 })
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
    expect(await verifyByKeys(post)).toEqual(event)
    expect(await verify(post)).toEqual(event)
  })

  it('signs by the secret that the show names, if it is bound to the URL and long enough', async () => {
    const secret = 'the secret of this app alone, 32 or more'
    world.keepShowSecret('apps', { one: secret, short: 'short' }, ['https://app.example.com/hooks/'])
    const tellOf = async (showId: string, callback: { url: string; secret: { secret: string } }) => {
      await world.accept({ ...webinar, callback }, showId)
      await world.services.shows.note(showId, entry)
      return notify({ ...event, id: idIn(showId), showId })
    }
    await tellOf('own', { url, secret: { secret: 'apps#one' } })
    const posted = () => posts[0]?.clone()
    await expect(verify(posted())).rejects.toMatchObject({ code: 'wrong-signature' })
    expect(await verify(posted(), secret)).toMatchObject({ showId: 'own' })
    expect(await verifyByKeys(posted())).toMatchObject({ showId: 'own' })

    const elsewhere = { url: 'https://app.example.com/x', secret: { secret: 'apps#one' } }
    await expect(tellOf('x', elsewhere)).rejects.toMatchObject({ message: /^The secret apps#one cannot be sent/ })
    await expect(tellOf('short', { url, secret: { secret: 'apps#short' } })).rejects.toMatchObject({
      message: 'The secret apps#short is too short to sign callbacks: it needs 32 characters.',
    })
    expect(posts).toHaveLength(1)
  })

  it('signs a repeated callback again, because tokens expire', async () => {
    await notify()
    await world.clock.advance(3_600_000)
    await notify()
    expect(await verify(posts[1])).toEqual(event)
    await expect(verify(posts[0])).rejects.toMatchObject({ code: 'expired' })
  })

  it('sends no more callbacks of a show after 410, which is not a failure', async () => {
    answering(410)
    expect(await notify()).toEqual({ id: event.id, outcome: 'gone', status: 410 })
    expect(await world.services.shows.state('a-show')).toMatchObject({ callbackGoneAt: world.now() })
    answering(204)
    const id = 'a-show/session.opened///'
    await world.services.shows.note('a-show', { what: 'session.opened' })
    expect(await notify({ ...event, id })).toEqual({ id, outcome: 'gone' })
    expect(posts).toHaveLength(1)
    await acceptLive(url, 'b-show')
    expect(await notify({ id: idIn('b-show'), showId: 'b-show' })).toMatchObject({ outcome: 'accepted' })
  })

  it.each([400, 401, 404, 413, 422])('reports a refusal when the app answers %i, without a retry', async (status) => {
    answering(status)
    expect(await notify()).toEqual({
      id: event.id,
      outcome: 'refused',
      status,
      reason: `The app answered with ${status}: correct the app or the callback of the show.`,
    })
    expect(posts).toHaveLength(1)
  })

  it.each([301, 302, 307, 308])('follows no redirect (%i)', async (status) => {
    answering(status, { location: 'https://app.example.com/elsewhere' })
    expect(await notify()).toMatchObject({ outcome: 'refused', status, reason: expect.stringContaining('redirect') })
    expect(posts).toHaveLength(1)
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('asks to be tried again after %i', async (status) => {
    answering(status)
    await expect(notify()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not accept the event ${event.id} (${status}).`,
    })
  })

  it('fails with a retryable error when the app does not answer within ten seconds', async () => {
    app = () => new Promise(() => {})
    const telling = expect(notify()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not accept the event ${event.id} (TIMEOUT).`,
    })
    while (posts.length === 0) await world.clock.advance(0)
    await world.clock.advance(10_000)
    await telling
  })

  it('fails with a retryable error without a connection, and shows only the host of the URL', async () => {
    app = () => {
      const cause = Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED' })
      throw new TypeError(`fetch failed: ${url}`, { cause })
    }
    await expect(notify()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not accept the event ${event.id} (ECONNREFUSED).`,
    })
  })

  it('does not read the body of the answer', async () => {
    let cancelled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel() {
        cancelled = true
      },
    })
    app = () => new Response(endless, { status: 200 })
    expect(await notify()).toMatchObject({ outcome: 'accepted' })
    expect(cancelled).toBe(true)
  })

  it('signs with the secret as it is now when the app does not trust it any more', async () => {
    await notify()
    const secret = 'the next secret of the callbacks, 32 or more'
    await changeSecret(secret)
    app = async (request) =>
      verify(request, secret).then(
        () => new Response(null, { status: 200 }),
        () => new Response(null, { status: 401 }),
      )
    expect(await notify()).toMatchObject({ outcome: 'accepted' })
    expect(posts).toHaveLength(3)
  })

  it('posts what the records say, and nothing that was put on the bus besides', async () => {
    await notify({
      ...event,
      at: '2020-01-01T00:00:00.000Z',
      reason: 'Forged.',
      labels: { course: 'forged' },
      hls: 'a:b',
    })
    expect(await posts[0]?.json()).toEqual(event)
  })

  it.each([
    ['never happened', { id: 'a-show/show.ended///', event: 'show.ended', status: 'failed' }],
    ['belongs to another show', { id: 'b-show/recording.started/program/1/' }],
    ['is not for owners', { id: 'a-show/upload.targetSet///' }],
    ['was published by nobody', { id: 'a-show/recording.published/program/1/x/complete', archiveId: 'unknown' }],
  ])('posts no forged event: one that %s', async (_what, forged) => {
    await acceptLive(url, 'b-show')
    await world.services.shows.note('a-show', { what: 'upload.targetSet' })
    await expect(notify({ ...event, callback: true, ...forged })).rejects.toMatchObject({
      name: 'EventNotRecordedError',
      message: expect.stringContaining(`The records of the show a-show do not hold the event ${forged.id}`),
    })
    expect(posts).toEqual([])
  })

  it('posts the publication of a recording by its manifest', async () => {
    const id = 'a-show/recording.published/program/1/an-execution/complete'
    const show = { showId: 'a-show', name: 'program', part: 1 }
    const publications = [{ executionName: 'an-execution', status: 'complete', at: event.at, message: 'No chapters.' }]
    await world.services.storage.writeDocument(
      'recordings/an-archive/manifest.json',
      {
        ...{ version: 1, archiveId: 'an-archive', createdAt: event.at, show, status: 'complete', publications },
        ...{ source: { key: '1/an-archive/archive.mp4', size: 1, sha256: null }, duration: null, video: null },
        ...{ audio: null, files: [] },
      },
      undefined,
    )
    const delivery = { id, showId: 'a-show', archiveId: 'an-archive' }
    expect(await notify(delivery)).toMatchObject({ outcome: 'accepted' })
    const published = { status: 'complete', reason: 'No chapters.', archiveId: 'an-archive' }
    expect(await posts[0]?.json()).toEqual({ ...event, id, event: 'recording.published', ...published })
    await acceptLive(url, 'b-show')
    await expect(notify({ ...delivery, showId: 'b-show' })).rejects.toMatchObject({ name: 'EventNotRecordedError' })
  })

  it('posts the publication of a clip by its record, once that has its outcome', async () => {
    const { storage, records } = world.services
    const show = { showId: 'a-show', name: 'program', part: 1 }
    const about = { version: 1, archiveId: 'an-archive', createdAt: event.at } as const
    await records.writeManifest(
      {
        ...{ ...about, show, status: 'complete', access: 'signed', files: [], duration: 9, video: null, audio: null },
        source: { key: '1/an-archive/archive.mp4', size: 1, sha256: null },
      },
      async () => true,
    )
    const clipId = '0123456789abcdef'
    const clip = { ...about, clipId, name: 'Demo', from: 1, to: 2, status: 'cutting' as const }
    await writeClip(storage, clip, { keepDays: null })
    const id = `a-show/clip.published/an-archive/${clipId}`
    const delivery = { id, showId: 'a-show', archiveId: 'an-archive' }
    await expect(notify(delivery)).rejects.toMatchObject({ name: 'EventNotRecordedError' })
    const { etag = '' } = (await readClip(storage, 'an-archive', clipId)) ?? {}
    const outcome = { status: 'failed' as const, endedAt: event.at, problem: 'It is damaged.' }
    await writeClip(storage, { ...clip, ...outcome }, { etag, keepDays: null })
    expect(await notify(delivery)).toMatchObject({ outcome: 'accepted' })
    const published = { archiveId: 'an-archive', clipId, status: 'failed', reason: 'It is damaged.' }
    expect(await posts[0]?.json()).toEqual({ ...event, id, event: 'clip.published', ...published })
  })

  it('posts the publication of a clip of a live show', async () => {
    const clipId = '0123456789abcdef'
    const live = {
      ...{ showId: 'a-show', broadcast: 'live', part: 1, startedAt: event.at, keepDays: null },
      access: 'signed' as const,
      picture: { width: 640, height: 480 },
    } as const
    const clip = { version: 1, archiveId: 'a-broadcast', clipId, name: 'Demo', from: 1, to: 2, live } as const
    const outcome = { createdAt: event.at, endedAt: event.at, status: 'published' } as const
    await writeClip(world.services.storage, { ...clip, ...outcome }, { keepDays: null })
    const id = `a-show/clip.published/a-broadcast/${clipId}`
    expect(await notify({ id, showId: 'a-show' })).toMatchObject({ outcome: 'accepted' })
    const published = { name: 'live', clipId, status: 'published' }
    expect(await posts[0]?.json()).toEqual({ ...event, id, event: 'clip.published', ...published })
  })

  it('posts the failure of a clip whose recording is lost, and so has no manifest', async () => {
    const clipId = '0123456789abcdef'
    const queued = { showId: 'a-show', broadcast: 'live', recording: 'program', part: 1, offset: 0, keepDays: null }
    const clip = { version: 1, archiveId: 'an-archive', clipId, name: 'Demo', from: 1, to: 2, queued } as const
    const outcome = { createdAt: event.at, endedAt: event.at, status: 'failed', problem: 'It is lost.' } as const
    await writeClip(world.services.storage, { ...clip, ...outcome }, { keepDays: null })
    const id = `a-show/clip.published/an-archive/${clipId}`
    expect(await notify({ id, showId: 'a-show', archiveId: 'an-archive' })).toMatchObject({ outcome: 'accepted' })
    expect(await posts[0]?.json()).toMatchObject({
      id,
      event: 'clip.published',
      status: 'failed',
      reason: 'It is lost.',
    })
  })

  it('refuses events of shows that name no callback, and of none', async () => {
    await world.accept(webinar, 'another-show')
    await expect(notify({ ...event, showId: 'another-show' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'The show another-show has no callback.',
    })
    await expect(notify({ ...event, showId: 'no-show' })).rejects.toMatchObject({ name: 'TaskInputError' })
    await expect(notify({ ...event, showId: undefined })).rejects.toMatchObject({ name: 'TaskInputError' })
    expect(posts).toEqual([])
  })

  it('calls only public addresses when it is deployed', async () => {
    await world.close()
    world = openWorld({ CALLBACK_REACH: 'public' })
    await acceptLive('http://app.example.com/hook')
    await acceptLive('https://127.0.0.1/hook', 'b-show')
    await expect(notify()).rejects.toMatchObject({ name: 'TaskInputError', message: /https only/ })
    await expect(notify({ id: idIn('b-show'), showId: 'b-show' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: '127.0.0.1 is not a public address: callbacks only go to hosts on the internet.',
    })
    expect(world.calls).toEqual([])
  })
})
