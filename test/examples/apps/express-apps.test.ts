import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../../../local/cloud/server.ts'
import { executionsOf } from '../../lambdas/api/call.ts'
import { manifest } from '../../lambdas/api/recordings/recording.ts'
import { TOKEN } from '../../lib/client/world-client.ts'
import { createPost, endShow, recordPrinted, requestsTo, setEnvironment, startApi } from './example-app.ts'

let api: Awaited<ReturnType<typeof startApi>>
let printed: string[]
beforeEach(async () => {
  api = await startApi()
  printed = recordPrinted()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await api.close()
})

const { archiveId } = manifest
const watchLink = expect.stringContaining(`/watch/${archiveId}`)
const publish = () => api.world.services.records.writeManifest({ ...manifest, files: [] }, async () => true)
const openSession = async (showId: string) => {
  const sessionId = await api.world.platform.createSession()
  await api.world.services.records.updateState(showId, (state) => ({ ...state, status: 'waiting', sessionId }))
}
const listRequests = async () => {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const list = (await (await fetch(`${api.url}/shows`, { headers })).json()) as { readonly items: readonly unknown[] }
  return list.items
}
/** Address that an app receives events at. Its port is free, because the app chooses it only when it listens. */
const APP_URL = 'https://app.example.com'
/** Posts events to the address of the app, wherever it listens. */
const postTo = (url: string, seed?: string) =>
  createPost((target, init) => fetch(String(target).replace(APP_URL, url), init), seed)

describe('examples/apps/express-minimal.ts', () => {
  it('starts a show once for each webinar, and admits guests', async () => {
    const app = requestsTo((await import('../../../examples/apps/express-minimal.ts')).server)
    const { body } = await app.post('/webinars/7')
    expect(body).toMatchObject({ showId: expect.any(String), status: 'starting' })
    expect((await app.post('/webinars/7')).body).toEqual(body)
    expect(executionsOf(api.world)).toHaveLength(1)
    await openSession(body.showId)
    expect((await app.post(`/shows/${body.showId}/guests`)).body).toMatchObject({ token: expect.any(String) })
    await app.close()
  })
})

describe('examples/apps/first-show.ts', () => {
  it('starts a show, admits guests, and receives its events once', async () => {
    setEnvironment({ APP_URL })
    const app = requestsTo((await import('../../../examples/apps/first-show.ts')).server)
    const { showId } = (await app.post('/webinars/1')).body
    expect((await api.world.services.records.readRequest(showId))?.show.callback?.url).toBe(`${APP_URL}/showrunner`)
    await openSession(showId)
    expect((await app.post(`/shows/${showId}/guests?name=Ada`)).body).toMatchObject({ token: expect.any(String) })
    await publish()
    const post = postTo(app.url)
    const url = `${APP_URL}/showrunner`
    const published = { event: 'recording.published', showId, archiveId } as const
    expect(await post(url, { event: 'session.opened', showId })).toBe(204)
    expect(await post(url, { ...published, status: 'ready' })).toBe(204)
    expect(await post(url, { ...published, status: 'complete', id: 'once' })).toBe(204)
    expect(await post(url, { ...published, status: 'complete', id: 'once' })).toBe(204)
    expect(await postTo(app.url, 'the secret of a stranger, with 32 characters')(url, published)).toBe(403)
    expect(printed).toEqual(['session.opened', 'recording.published ready', 'recording.published complete'])
    await endShow(api.world, showId)
    expect((await app.get(`/shows/${showId}`)).body).toEqual({
      status: 'succeeded',
      reason: 'Ended as planned.',
      links: [watchLink],
    })
    await app.close()
  })
})

describe('examples/apps/weekly-webinar.ts', () => {
  it('invites, reminds, admits, sends the recording, and reports a show without participants', async () => {
    const mails: unknown[] = []
    const mailService = await listen(async (request) => {
      mails.push(
        Object.values((await request.json()) as object)
          .flat()
          .join(' | '),
      )
      return new Response(null, { status: 202 })
    })
    setEnvironment({ APP_URL, MAIL_URL: mailService.url })
    const app = requestsTo((await import('../../../examples/apps/weekly-webinar.ts')).server)
    const [request] = await listRequests()
    expect(request).toMatchObject({ name: 'Tuesday webinar', status: 'scheduled' })
    expect((await app.get('/join?name=Ada')).body).toContain('begins on Tuesday at 19:00')
    await app.post('/reminders')
    const post = postTo(app.url)
    const url = `${APP_URL}/showrunner`
    const { showId } = await api.world.accept(undefined, 'an-occurrence')
    await openSession(showId)
    await post(url, { event: 'session.opened', showId })
    expect((await app.get('/join?name=Ada')).body).toMatchObject({ token: expect.any(String) })
    await publish()
    await post(url, { event: 'recording.published', showId, archiveId, status: 'complete' })
    await post(url, { event: 'show.ended', showId, status: 'succeeded' })
    expect((await app.get('/join?name=Ada')).body).toContain('begins on Tuesday')
    await post(url, { event: 'show.ended', showId, status: 'cancelled', reason: 'No participant connected.' })
    const toGuests = 'ada@example.com | grace@example.com | Tuesday webinar |'
    expect(mails).toEqual([
      `${toGuests} You are invited: every Tuesday at 19:00, at ${APP_URL}/join`,
      `${toGuests} The webinar begins in an hour, at ${APP_URL}/join`,
      `${toGuests} The doors are open: ${APP_URL}/join`,
      expect.stringMatching(/ Watch the webinar again: https:.*\/watch\//),
      'events@example.com | Tuesday webinar | The webinar did not take place: No participant connected.',
    ])
    await mailService.close()
    await app.close()
  })
})

describe('examples/apps/landing-page.ts', () => {
  it('follows a show from its start to its recording, and reports the output', async () => {
    setEnvironment({ APP_URL, RTMP_SERVER: 'rtmp://live.example.com/app' })
    const refused = { status: 409, body: { message: expect.stringContaining('broadcasts[0].rtmp[0].streamName') } }
    expect(
      await requestsTo((await import('../../../examples/apps/landing-page.ts')).server).post('/go-live'),
    ).toMatchObject(refused)
    api.world.keepShowSecret('youtube', { allhands: 'a stream key' })
    const app = requestsTo((await import('../../../examples/apps/landing-page.ts')).server)
    expect((await app.get('/')).body).toContain('<video id="player"')
    expect((await app.get('/hls.js')).body).toContain('Hls')
    const { body, status } = await app.post('/go-live')
    expect([status, body.status]).toEqual([202, 'starting'])
    const { showId } = body
    const post = postTo(app.url)
    const url = `${APP_URL}/showrunner`
    const stateOf = async () => (await app.get('/live.json')).body
    expect(await stateOf()).toEqual({ state: 'soon' })
    await post(url, { event: 'broadcast.live', showId, name: 'live', hls: 'https://cdn.example.com/live.m3u8' })
    expect(await stateOf()).toEqual({ state: 'live', hls: 'https://cdn.example.com/live.m3u8' })
    await post(url, { event: 'output.failed', showId, output: 'youtube', reason: 'offline' })
    await post(url, { event: 'output.recovered', showId, output: 'youtube' })
    expect(printed).toEqual(['✖ youtube is off the air: offline', '✔ youtube is on the air again.'])
    await post(url, { event: 'show.ended', showId, status: 'degraded' })
    expect(await stateOf()).toEqual({ state: 'over' })
    await publish()
    await post(url, { event: 'recording.published', showId, archiveId, status: 'ready' })
    expect(await stateOf()).toEqual({ state: 'over', watch: '/watch' })
    expect(await app.get('/watch')).toMatchObject({ status: 302, location: watchLink })
    await app.close()
  })
})
