import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createShowrunner } from '../../../lib/client/showrunner.ts'
import { ShowrunnerError } from '../../../lib/client/showrunner-error.ts'
import { bringLive, executionsOf } from '../../lambdas/api/call.ts'
import { manifest } from '../../lambdas/api/recordings/recording.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { createWorldClient } from './world-client.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const failureOf = (call: Promise<unknown>): Promise<ShowrunnerError> =>
  call.then(
    () => expect.unreachable('The call succeeded.'),
    (error) => error,
  )

const recordingIds = ['one', 'two', 'three', 'four', 'five']
const publishAll = async () => {
  for (const archiveId of recordingIds) {
    const source = { ...manifest.source, key: `1/${archiveId}/archive.mp4` }
    await world.services.records.writeManifest({ ...manifest, archiveId, source, files: [] }, async () => true)
    await world.clock.advance(1_000)
  }
}

describe('createShowrunner', () => {
  it('starts, lists, reads and unschedules shows', async () => {
    const { showrunner } = createWorldClient(world)
    const start = { at: '2026-12-01T19:00', zone: 'Europe/Berlin' }
    const { showId, status } = await showrunner.shows.start({ ...webinar, start })
    expect(status).toBe('scheduled')
    const { items, cursor } = await showrunner.shows.list({ limit: 10 }).page()
    expect([items, cursor]).toEqual([[expect.objectContaining({ showId, status, name: webinar.name })], undefined])
    expect((await showrunner.shows.get(showId)).start).toEqual(start)
    expect(await showrunner.shows.unschedule(showId)).toEqual({ showId, status: 'stopped' })
  })

  it('validates a show without starting it', async () => {
    const { showrunner } = createWorldClient(world)
    expect((await showrunner.shows.validate(webinar)).show.audienceWait).toBe(900)
    const error = await failureOf(showrunner.shows.validate({ ...webinar, duration: 0 }))
    expect(error).toMatchObject({ type: 'invalid-show', status: 400, problems: [{ path: 'duration' }] })
    expect((await showrunner.shows.list().page()).items).toEqual([])
  })

  it('controls a live show and admits participants to it', async () => {
    const { showId, sessionId, guest } = await bringLive(world)
    const { showrunner } = createWorldClient(world)
    const { controls, tokens } = showrunner
    expect(await tokens.create(showId, { role: 'publisher', data: 'Ada' })).toMatchObject({ sessionId })
    const { timeline } = await controls.signal(showId, { type: 'chat', data: 'We begin.' })
    expect(timeline).toMatchObject([{ what: 'control.signal', by: 'app' }])
    await controls.mute(showId, { active: true })
    await controls.change(showId, { duration: 40 })
    await controls.disconnect(showId, { connectionId: guest.connectionId })
    await controls.stop(showId)
    const controlled = (await showrunner.shows.get(showId)).timeline.map(({ what }) => what)
    expect(controlled.filter((what) => what.startsWith('control.'))).toEqual([
      ...['control.signal', 'control.mute', 'control.duration', 'control.disconnect', 'control.stop'],
    ])
  })

  it('invites participants, whose page exchanges the invitation without a token of the API', async () => {
    const { showrunner } = createWorldClient(world)
    const { showId } = await showrunner.shows.start({ ...webinar, start: { at: '2026-11-20T10:00', zone: 'UTC' } })
    const { invitation } = await showrunner.shows.invite(showId, { role: 'publisher', data: 'Ada' })
    const { showrunner: page } = createWorldClient(world, { token: '' })
    const early = await failureOf(page.tokens.exchange({ invitation }))
    expect(early).toMatchObject({ type: 'show-not-open', startsAt: '2026-11-20T10:00:00.000Z', retryAfter: 300 })
    const sessionId = await world.platform.createSession()
    await world.services.records.updateState(showId, (state) => ({ ...state, status: 'waiting', sessionId }))
    expect(await page.tokens.exchange({ invitation })).toMatchObject({ showId, sessionId })
    await showrunner.shows.revokeInvitations(showId)
    expect(await failureOf(page.tokens.exchange({ invitation }))).toMatchObject({ type: 'invitation-revoked' })
  })

  it('iterates over all pages of a list, and requests none before that', async () => {
    await publishAll()
    const { showrunner, requests } = createWorldClient(world)
    const listing = showrunner.recordings.list({ limit: 2 })
    expect(requests).toHaveLength(0)
    const ids: string[] = []
    for await (const { archiveId } of listing) ids.push(archiveId)
    expect(ids.toSorted()).toEqual(recordingIds.toSorted())
    expect(requests).toHaveLength(3)
    for await (const _first of showrunner.recordings.list({ limit: 2 })) break
    expect(requests).toHaveLength(4)
  })

  it('deletes, restores and captions recordings', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    world.keepVersions()
    const { showrunner } = createWorldClient(world)
    const { recordings, usage, events } = showrunner
    const { archiveId } = manifest
    expect((await recordings.get(archiveId)).watch.url).toContain(`/watch/${archiveId}`)
    expect((await recordings.revokeLinks(archiveId)).revoked).toEqual([archiveId])
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\nGood evening.\n'
    expect(await recordings.putCaptions(archiveId, 'en', vtt)).toEqual({ archiveId, captions: ['en'] })
    expect(await recordings.deleteCaptions(archiveId, 'en')).toEqual({ archiveId, captions: [] })
    expect(await failureOf(recordings.getPublic(archiveId))).toMatchObject({ type: 'unknown-recording', status: 404 })
    expect(await recordings.delete(archiveId)).toMatchObject({ archiveId, restorableUntil: expect.any(String) })
    for await (const deleted of recordings.listDeleted()) expect(deleted).toMatchObject({ archiveId, deletedBy: 'app' })
    expect(await failureOf(recordings.get(archiveId))).toMatchObject({ type: 'recording-deleted' })
    expect((await recordings.restore(archiveId)).objects).toBeGreaterThan(0)
    expect(await recordings.delete(archiveId, { permanently: true })).not.toHaveProperty('restorableUntil')
    expect((await usage.get({ to: '2026-11-20' })).days).toEqual([])
    expect((await events.getKeys()).keys).toMatchObject([{ alg: 'EdDSA' }])
  })

  it('requests a token for each request', async () => {
    let count = 0
    const token = async () => `token ${++count}`
    const { showrunner, requests } = createWorldClient(world, { token })
    const error = await failureOf(showrunner.shows.get('a-show'))
    expect(error).toMatchObject({ type: 'unauthorized', status: 401 })
    expect(error.message).toMatch(/does not accept the token\. Use an unexpired token/)
    await failureOf(showrunner.shows.get('a-show'))
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token 1', 'Bearer token 2'])
  })

  it.each(['ftp://api.example.com', 'api.example.com', ''])('refuses the address %j', (url) => {
    expect(() => createShowrunner({ url, token: 't' })).toThrow('url must be the http or https address of the API.')
  })
})

describe('a call', () => {
  it('has its effect once although its answer is lost', async () => {
    const { showrunner, requests, seam, delays } = createWorldClient(world)
    seam.intercept = async (_request, pass) => {
      const answer = await pass()
      if (requests.length > 1) return answer
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
    }
    const { showId } = await showrunner.shows.start(webinar)
    expect(executionsOf(world)).toMatchObject([{ name: showId }])
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
    expect(delays).toHaveLength(1)
    await showrunner.shows.start(webinar)
    expect(executionsOf(world)).toHaveLength(2)
  })

  it('has its effect once for each idempotency key', async () => {
    const { showrunner } = createWorldClient(world)
    const options = { idempotencyKey: 'webinar 7' }
    const one = await showrunner.shows.start(webinar, options)
    expect(await showrunner.shows.start(webinar, options)).toEqual(one)
    const error = await failureOf(showrunner.shows.start({ ...webinar, name: 'Another' }, options))
    expect(error).toMatchObject({ name: 'ShowrunnerError', type: 'idempotency-key-reused', status: 409 })
  })

  it('is repeated after the delay of Retry-After, at most 4 times', async () => {
    await world.accept()
    const { showrunner, requests, delays, seam } = createWorldClient(world)
    const throttled = () =>
      Response.json({ message: 'Too Many Requests' }, { status: 429, headers: { 'retry-after': '7' } })
    seam.intercept = async (_request, pass) => (requests.length < 3 ? throttled() : pass())
    expect((await showrunner.shows.get('a-show')).showId).toBe('a-show')
    expect(delays).toEqual([7_000, 7_000])
    seam.intercept = async () => throttled()
    expect(await failureOf(showrunner.shows.get('a-show'))).toMatchObject({ type: 'too-many-requests', status: 429 })
    expect(requests).toHaveLength(7)
  })

  it.each([502, 503, 504])('is repeated after %i only where that has no second effect', async (status) => {
    const { showId } = await bringLive(world)
    const { showrunner, requests, seam } = createWorldClient(world)
    const failing = () => Response.json({ message: 'Service Unavailable' }, { status })
    seam.intercept = async (_request, pass) => (requests.length === 1 ? failing() : pass())
    await showrunner.controls.signal(showId, { type: 'chat', data: 'Again.' })
    expect(requests).toHaveLength(2)
    seam.intercept = async () => failing()
    const error = await failureOf(showrunner.tokens.create(showId, { role: 'publisher' }))
    expect(error).toMatchObject({ type: 'unavailable', status })
    expect(error.message).toBe(`The API answered ${status} (Service Unavailable).`)
    expect(requests).toHaveLength(3)
  })

  it('that reads the same again is answered without a body, as another object', async () => {
    await world.accept()
    const { showrunner, requests, seam } = createWorldClient(world)
    const statuses: number[] = []
    seam.intercept = async (_request, pass) => {
      const answer = await pass()
      statuses.push(answer.status)
      return answer
    }
    const first = await showrunner.shows.get('a-show')
    const name = first.name
    first.name = 'Changed by the caller'
    expect((await showrunner.shows.get('a-show')).name).toBe(name)
    expect(statuses).toEqual([200, 304])
    for (let limit = 1; limit <= 50; limit++) await showrunner.shows.list({ limit }).page()
    await showrunner.shows.get('a-show')
    expect(requests.at(-1)?.headers.has('if-none-match')).toBe(false)
    expect(statuses.at(-1)).toBe(200)
  })

  it('keeps the version of what is read again and again', async () => {
    await world.accept()
    const { showrunner, requests } = createWorldClient(world)
    await showrunner.shows.get('a-show')
    for (let limit = 1; limit < 50; limit++) await showrunner.shows.list({ limit }).page()
    await showrunner.shows.get('a-show')
    await showrunner.shows.list({ limit: 50 }).page()
    await showrunner.shows.get('a-show')
    expect(requests.at(-1)?.headers.has('if-none-match')).toBe(true)
  })

  it('keeps no version of a large answer', async () => {
    const { showrunner, requests, seam } = createWorldClient(world)
    for (const [size, isKept] of [
      [256 * 1024 - 20, true],
      [256 * 1024, false],
    ] as const) {
      seam.intercept = async () => Response.json({ name: 'x'.repeat(size) }, { headers: { etag: '"1"' } })
      await showrunner.shows.get(`a-${isKept}`)
      await showrunner.shows.get(`a-${isKept}`)
      expect(requests.at(-1)?.headers.has('if-none-match')).toBe(isKept)
    }
  })

  it('ends with the reason of its signal or the client’s', async () => {
    const own = new AbortController()
    const { showrunner, seam } = createWorldClient(world, { signal: own.signal })
    seam.intercept = async (request) => {
      own.abort(new Error('The app ends.'))
      request.signal.throwIfAborted()
      return expect.unreachable('The signal is not the request’s.')
    }
    await expect(showrunner.shows.get('a-show')).rejects.toThrow('The app ends.')
    const { showrunner: other, requests } = createWorldClient(world)
    await expect(other.shows.get('a', { signal: AbortSignal.abort(new Error('Enough.')) })).rejects.toThrow('Enough.')
    expect(requests).toHaveLength(0)
  })

  it.each<[string, () => Response, string, RegExp]>([
    [
      'a problem',
      () => Response.json({ type: 'x#unknown-show', detail: 'No a.' }, { status: 404 }),
      'unknown-show',
      /^No a\.$/,
    ],
    [
      'several faults',
      () =>
        Response.json(
          {
            type: 'x#invalid-show',
            detail: 'It is not valid; see problems.',
            problems: [{ path: '', message: 'is old' }],
          },
          { status: 400 },
        ),
      'invalid-show',
      /^It is not valid:\n {2}the show is old$/,
    ],
    [
      'a message of API Gateway',
      () => Response.json({ message: 'Forbidden' }, { status: 403 }),
      'refused',
      /^The API answered 403 \(Forbidden\)\.$/,
    ],
    [
      'an answer that is not JSON',
      () => new Response('<html>', { status: 502 }),
      'unavailable',
      /^The API answered 502\.$/,
    ],
    [
      'another server',
      () => new Response('<html>'),
      'foreign-answer',
      /is not the API of Showrunner\. Check the address\.$/,
    ],
    [
      'a redirect, which would leak the token',
      () => Response.redirect('http://127.0.0.1:9/'),
      'no-answer',
      /\(it redirects\)/,
    ],
  ])('reports %s in a sentence', async (_, answer, type, sentence) => {
    const { showrunner } = createWorldClient(world, { fetch: async () => answer() })
    const error = await failureOf(showrunner.shows.get('a'))
    expect(error).toBeInstanceOf(ShowrunnerError)
    expect([error.type, error.message]).toEqual([type, expect.stringMatching(sentence)])
  })
})
