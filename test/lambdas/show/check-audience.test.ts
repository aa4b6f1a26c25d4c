import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { isCall, losingAnswers, refusing } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'

const scenes = [{ name: 'title', url: 'https://scenes.example.com/title' }]
const dialIns = [{ name: 'stage', uri: 'sip:stage@sip.example.com' }]

let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world)
})
afterEach(() => world.close())

const openInstead = async (document: Partial<ShowDocument>) => {
  await world.close()
  world = openWorld()
  show = await openShow(world, { ...webinar, ...document })
}
const check = (sessionId = show.sessionId) =>
  run(world, 'checkAudience', { showId: show.showId, sessionId, startedAt: START_TIME })
const archives = async () => (await world.platform.call('listArchives', { sessionId: show.sessionId })).body.items
const state = () => world.services.shows.state('a-show')
const ask = (change: object) => world.services.shows.update('a-show', (state) => ({ ...state, ...change }))
const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()
const isStart = isCall('POST', /\/archive$/)
const isList = isCall('GET', /\/stream\/?$/)

describe('checkAudience', () => {
  it('accepts a published stream as audience, and starts nothing then', async () => {
    await world.platform.join(show.sessionId)
    expect(await check()).toEqual({ audience: 'present', nextPollAt: START_TIME })
    expect(await archives()).toEqual([])
    expect((await state()).timeline.at(-1)).toEqual({ at: START_TIME, what: 'audience.present' })
  })

  it('finds listeners without a stream by starting the first recording, which is adopted later', async () => {
    await world.platform.join(show.sessionId, { publish: false })
    expect((await check()).audience).toBe('present')
    expect(await archives()).toMatchObject([{ multiArchiveTag: 'a-show/program/1', resolution: '1280x720' }])
    expect((await check()).audience).toBe('present')
    expect(await archives()).toHaveLength(1)
  })

  it('notes in a show with an open end that a participant has published, unlike a listener', async () => {
    await openInstead({ duration: null })
    await world.platform.join(show.sessionId, { publish: false })
    await check()
    expect((await state()).participantSeen).toBeUndefined()
    await world.platform.join(show.sessionId)
    await check()
    expect((await state()).participantSeen).toBe(true)
  })

  it('finds listeners of a show that records nothing by starting its first broadcast', async () => {
    await openInstead({ recordings: [], broadcasts: [{ name: 'live', hls: {} }] })
    expect((await check()).audience).toBe('absent')
    await world.platform.join(show.sessionId, { publish: false })
    expect((await check()).audience).toBe('present')
    const { body } = await world.platform.call('listBroadcasts', { sessionId: show.sessionId })
    expect(body.items).toMatchObject([{ multiBroadcastTag: 'a-show/live/1' }])
    expect(await archives()).toEqual([])
  })

  it('assumes listeners after a while when the only broadcast cannot be started', async () => {
    await openInstead({ recordings: [], broadcasts: [{ name: 'live', hls: {} }] })
    world.interceptors.platform = refusing(isCall('POST', /\/broadcast$/), 400)
    expect((await check()).audience).toBe('absent')
    await world.clock.advance(30_000)
    expect((await check()).audience).toBe('present')
  })

  it('assumes listeners if a missing secret prevents the only broadcast from detecting them', async () => {
    const rtmp = [{ id: 'one', serverUrl: 'rtmp://live.example/app', streamName: { secret: 'none#key' } }]
    await openInstead({ recordings: [], broadcasts: [{ name: 'live', rtmp }] })
    expect((await check()).audience).toBe('absent')
    await world.clock.advance(30_000)
    expect((await check()).audience).toBe('present')
  })

  it('starts the first recording once, also when the answer is lost', async () => {
    await world.platform.join(show.sessionId, { publish: false })
    world.interceptors.platform = losingAnswers(isStart)
    expect((await check()).audience).toBe('present')
    expect(await archives()).toHaveLength(1)
  })

  it.each([400, 413])(
    'does not take a start that is refused with %i for an empty session: the next recording shows it',
    async (status) => {
      const refuseFirst = async (request: Request, pass: () => Promise<Response>) =>
        isStart(request) && (await request.clone().text()).includes('/program/')
          ? Response.json({ code: status, message: 'Refused' }, { status })
          : pass()
      world.interceptors.platform = refuseFirst
      expect((await check()).audience).toBe('absent')
      await world.platform.join(show.sessionId, { publish: false })
      world.interceptors.platform = refuseFirst
      expect((await check()).audience).toBe('present')
      expect(await archives()).toMatchObject([{ multiArchiveTag: 'a-show/speakers/1' }])
    },
  )

  it('assumes an audience after a while when no recording can be started', async () => {
    world.interceptors.platform = refusing(isStart, 400)
    expect((await check()).audience).toBe('absent')
    await world.clock.advance(30_000)
    expect((await check()).audience).toBe('present')
  })

  describe('of a show with scenes or dial-ins', () => {
    it.each([
      ['scene', { scenes }, 'startScene', 'title'],
      ['dial-in', { dialIns }, 'startDialIn', 'stage'],
    ] as const)('does not take its own %s for an audience, nor start anything', async (_what, document, task, name) => {
      await openInstead(document as Partial<ShowDocument>)
      await run(world, task, { showId: 'a-show', sessionId: show.sessionId, name })
      expect((await check()).audience).toBe('absent')
      await world.clock.advance(5_000)
      expect((await world.platform.call('listStreams', { sessionId: show.sessionId })).body.count).toBe(1)
      expect((await check()).audience).toBe('absent')
      expect(await archives()).toEqual([])

      await world.platform.join(show.sessionId)
      expect((await check()).audience).toBe('present')
    })

    it('does not try to start a recording when a dial-in was added while it waits', async () => {
      await ask({ dialIns: [{ name: 'more' }] })
      await world.platform.join(show.sessionId, { publish: false })
      expect((await check()).audience).toBe('absent')
      expect(await archives()).toEqual([])
    })

    it('reports at the end that the platform does not know the session', async () => {
      await openInstead({ scenes })
      await world.clock.advance(900_000)
      world.interceptors.platform = async (request, pass) =>
        isList(request) ? Response.json({ code: 404, message: 'Session not found' }, { status: 404 }) : pass()
      expect((await check()).reason).toBe(
        'No participant connected within 900 s. The platform last said: Session not found.',
      )
    })
  })

  it('returns the next poll while no client is connected, and notes that the show waits', async () => {
    expect(await check()).toEqual({ audience: 'absent', nextPollAt: inSeconds(2) })
    expect((await state()).status).toBe('waiting')
    await world.clock.advance(400_000)
    expect(await check()).toEqual({ audience: 'absent', nextPollAt: inSeconds(10) })
    await world.clock.advance(495_000)
    expect(await check()).toEqual({ audience: 'absent', nextPollAt: inSeconds(5) }) // exactly until the limit
  })

  it('looks for listeners in the first poll and every ten seconds, and for streams in each', async () => {
    const callsAt: Record<number, number> = {}
    for (let second = 0; second <= 12; second += 2) {
      world.calls.length = 0
      await check()
      callsAt[second] = world.calls.length
      await world.clock.advance(2_000)
    }
    expect(callsAt).toEqual({ 0: 3, 2: 1, 4: 1, 6: 1, 8: 1, 10: 3, 12: 1 })
  })

  it('polls at least every 15 seconds, however long it has waited', async () => {
    await openInstead({ audienceWait: 86_400 })
    await world.clock.advance(7_200_000)
    expect((await check()).nextPollAt).toBe(inSeconds(15))
  })

  it('leaves a show alone that has come further', async () => {
    await ask({ status: 'ending' })
    await check()
    expect((await state()).status).toBe('ending')
  })

  it('gives up at the limit', async () => {
    await world.clock.advance(900_000)
    expect(await check()).toEqual({
      ...{ audience: 'never came', reason: 'No participant connected within 900 s.', nextPollAt: world.now() },
    })
    const reason = 'No participant connected within 900 s.'
    expect(await state()).toMatchObject({ unattended: true, endReason: reason })
  })

  it('does not cancel a show of which a stop was requested', async () => {
    await world.clock.advance(900_000)
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) await ask({ stopAskedAt: START_TIME })
      return pass()
    }
    await check()
    expect((await state()).unattended).toBeUndefined()
  })

  it('reports at the limit that the session does not exist', async () => {
    await world.clock.advance(900_000)
    const gone = `2_${Buffer.from(`1~${world.platform.apiKey}~~1~gone~`).toString('base64url')}`
    expect(await check(gone)).toMatchObject({
      audience: 'never came',
      reason: 'No participant connected within 900 s. The platform last said: Session not found.',
    })
    expect((await state()).unattended).toBeUndefined()
  })

  it('finds a participant who connects at the last moment', async () => {
    await world.clock.advance(900_000)
    await world.platform.join(show.sessionId)
    expect((await check()).audience).toBe('present')
  })

  it('does not wait in a show that is stopped, and asks the platform nothing', async () => {
    await ask({ stopAskedAt: START_TIME })
    world.calls.length = 0
    expect(await check()).toEqual({
      audience: 'not awaited any more',
      reason: 'It was stopped before a participant connected.',
      nextPollAt: START_TIME,
    })
    expect(world.calls).toEqual([])
  })

  it('stops the new resource when the show was stopped meanwhile', async () => {
    await world.platform.join(show.sessionId, { publish: false })
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) await ask({ stopAskedAt: START_TIME })
      return pass()
    }
    expect((await check()).audience).toBe('not awaited any more')
    expect(await archives()).toMatchObject([{ reason: 'user initiated' }])
  })

  it('does not wait in a relayed session, and explains what to do', async () => {
    const relayed = await world.platform.createSession({ 'p2p.preference': 'enabled' })
    await world.platform.join(relayed, { publish: false })
    expect(await check(relayed)).toMatchObject({
      audience: 'not awaited any more',
      reason: expect.stringMatching(/^The session is relayed, .* create it with p2p\.preference disabled/),
    })
  })

  it.each([
    ['cannot be reached', isList, 503],
    ['cannot start anything', isStart, 500],
    ['is asked too often', isStart, 429],
    ['says that something is in the way', isStart, 409],
    ['does not take the credentials, as of a suspended project', isList, 403],
    ['does not understand', isList, 400],
  ])('polls again while the platform %s, and reports that at the end', async (_what, isMeant, status) => {
    world.interceptors.platform = refusing(isMeant, status)
    expect(await check()).toEqual({ audience: 'absent', nextPollAt: inSeconds(2) })
    await world.clock.advance(900_000)
    expect(await check()).toMatchObject({
      audience: 'never came',
      reason: expect.stringMatching(
        new RegExp(
          `^No participant connected within 900 s\\. The last poll of the platform failed: .*answered ${status} `,
        ),
      ),
    })
    expect((await state()).unattended).toBeUndefined()
  })

  it('polls again after an unreadable answer', async () => {
    world.interceptors.platform = async (request, pass) =>
      isList(request) ? Response.json({ surprise: true }) : pass()
    expect((await check()).audience).toBe('absent')
  })

  it('leaves a failure of the bucket to the retries', async () => {
    world.interceptors.aws = async () => new Response('', { status: 500 })
    await expect(check()).rejects.toMatchObject({ name: 'StorageError' })
  })
})
