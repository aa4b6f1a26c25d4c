import { describe, expect, it } from 'vitest'
import { event, idIn, openOwnerApp, url } from './owner-app.ts'

describe('notifyOwner, by the answer of the app', () => {
  it('posts no more events of a show after the answer 410, which is not a failure', async () => {
    const { world, posts, acceptLive, answerWith, notify } = await openOwnerApp()
    answerWith(410)
    expect(await notify()).toEqual({ id: event.id, outcome: 'gone', status: 410 })
    expect(await world.services.shows.state('a-show')).toMatchObject({ callbackGoneAt: world.now() })
    answerWith(204)
    const id = 'a-show/session.opened///'
    await world.services.shows.note('a-show', { what: 'session.opened' })
    expect(await notify({ ...event, id })).toEqual({ id, outcome: 'gone' })
    expect(posts).toHaveLength(1)
    await acceptLive({ url }, 'b-show')
    expect(await notify({ id: idIn('b-show'), showId: 'b-show' })).toMatchObject({ outcome: 'accepted' })
  })

  it.each([400, 401, 404, 413, 422])('reports a refusal when the app answers %i, without a retry', async (status) => {
    const { posts, answerWith, notify } = await openOwnerApp()
    answerWith(status)
    expect(await notify()).toEqual({
      id: event.id,
      outcome: 'refused',
      status,
      reason: `The app answered with ${status}: correct the app or the callback of the show.`,
    })
    expect(posts).toHaveLength(1)
  })

  it.each([301, 302, 307, 308])('follows no redirect (%i)', async (status) => {
    const { posts, answerWith, notify } = await openOwnerApp()
    answerWith(status, { location: 'https://app.example.com/elsewhere' })
    expect(await notify()).toMatchObject({ outcome: 'refused', status, reason: expect.stringContaining('redirect') })
    expect(posts).toHaveLength(1)
  })

  it.each([408, 425, 429, 500, 502, 503, 504])(
    'fails with a retryable error when the app answers %i',
    async (status) => {
      const { answerWith, notify } = await openOwnerApp()
      answerWith(status)
      await expect(notify()).rejects.toMatchObject({
        name: 'ServiceError',
        message: `https://app.example.com did not accept the event ${event.id} (${status}).`,
      })
    },
  )

  it('fails with a retryable error when the app does not answer within ten seconds', async () => {
    const { world, posts, answerBy, notify } = await openOwnerApp()
    answerBy(() => new Promise(() => {}))
    const failure = expect(notify()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not accept the event ${event.id} (TIMEOUT).`,
    })
    while (posts.length === 0) await world.clock.advance(0)
    await world.clock.advance(10_000)
    await failure
  })

  it('fails with a retryable error without a connection, and prints only the host of the URL', async () => {
    const { answerBy, notify } = await openOwnerApp()
    answerBy(() => {
      const cause = Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED' })
      throw new TypeError(`fetch failed: ${url}`, { cause })
    })
    await expect(notify()).rejects.toMatchObject({
      name: 'ServiceError',
      message: `https://app.example.com did not accept the event ${event.id} (ECONNREFUSED).`,
    })
  })

  it('cancels the body of the answer without reading it', async () => {
    const { answerBy, notify } = await openOwnerApp()
    let cancelled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel() {
        cancelled = true
      },
    })
    answerBy(() => new Response(endless, { status: 200 }))
    expect(await notify()).toMatchObject({ outcome: 'accepted' })
    expect(cancelled).toBe(true)
  })
})
