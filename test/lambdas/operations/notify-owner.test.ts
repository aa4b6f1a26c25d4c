import { describe, expect, it } from 'vitest'
import { webinar } from '../../support/world.ts'
import { event, idIn, openOwnerApp, url } from './owner-app.ts'

describe('notifyOwner', () => {
  it('posts the event as JSON, signed for its receiver, with its id to deduplicate by', async () => {
    const { world, posts, notify, verify, verifyByKeys } = await openOwnerApp()
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

  it('signs with the secret that the show names, if it is bound to the URL and long enough', async () => {
    const { world, posts, acceptLive, notify, verify, verifyByKeys } = await openOwnerApp()
    const secret = 'the secret of this app alone, 32 or more'
    world.keepShowSecret('apps', { one: secret, short: 'short' }, ['https://app.example.com/hooks/'])
    const notifyOf = async (showId: string, callback: { url: string; secret: { secret: string } }) => {
      await acceptLive(callback, showId)
      return notify({ ...event, id: idIn(showId), showId })
    }
    await notifyOf('own', { url, secret: { secret: 'apps#one' } })
    await expect(verify(posts[0])).rejects.toMatchObject({ code: 'wrong-signature' })
    expect(await verify(posts[0], secret)).toMatchObject({ showId: 'own' })
    expect(await verifyByKeys(posts[0])).toMatchObject({ showId: 'own' })

    const elsewhere = { url: 'https://app.example.com/x', secret: { secret: 'apps#one' } }
    await expect(notifyOf('x', elsewhere)).rejects.toMatchObject({
      message: expect.stringMatching(/^The secret apps#one cannot be sent/),
    })
    await expect(notifyOf('short', { url, secret: { secret: 'apps#short' } })).rejects.toMatchObject({
      message: 'The secret apps#short is too short to sign callbacks: it needs 32 characters.',
    })
    expect(posts).toHaveLength(1)
  })

  it('signs a repeated callback again, because tokens expire', async () => {
    const { world, posts, notify, verify } = await openOwnerApp()
    await notify()
    await world.clock.advance(3_600_000)
    await notify()
    expect(await verify(posts[1])).toEqual(event)
    await expect(verify(posts[0])).rejects.toMatchObject({ code: 'expired' })
  })

  it('reads the secret again and retries when the app refuses the signature', async () => {
    const { posts, answerBy, notify, changeSecret, verify } = await openOwnerApp()
    await notify()
    const secret = 'the next secret of the callbacks, 32 or more'
    await changeSecret(secret)
    answerBy(async (request) =>
      verify(request, secret).then(
        () => new Response(null, { status: 200 }),
        () => new Response(null, { status: 401 }),
      ),
    )
    expect(await notify()).toMatchObject({ outcome: 'accepted' })
    expect(posts).toHaveLength(3)
  })

  it('refuses events of shows that name no callback or do not exist, and of no show', async () => {
    const { world, posts, notify } = await openOwnerApp()
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
    const { world, acceptLive, notify } = await openOwnerApp({ CALLBACK_REACH: 'public' })
    await acceptLive({ url: 'http://app.example.com/hook' }, 'plain')
    await acceptLive({ url: 'https://127.0.0.1/hook' }, 'loopback')
    const notifyOf = (showId: string) => notify({ id: idIn(showId), showId })
    await expect(notifyOf('plain')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'Callbacks only use https: http://app.example.com cannot be called.',
    })
    await expect(notifyOf('loopback')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: '127.0.0.1 is not a public address: callbacks only go to hosts on the internet.',
    })
    expect(world.calls).toEqual([])
  })
})
