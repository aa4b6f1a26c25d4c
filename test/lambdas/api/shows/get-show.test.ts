import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, START_TIME, type World, webinar } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { bringLive, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  await world.close()
})

describe('GET /shows/{id}', () => {
  it('shows how far a show is, and its result once it has ended', async () => {
    await world.accept()
    expect(await call(world, 'GET /shows/a-show')).toMatchObject({
      status: 200,
      body: { showId: 'a-show', name: 'Launch webinar', status: 'starting', acceptedAt: START_TIME },
    })
    const result = {
      version: 1,
      showId: 'a-show',
      name: 'Launch webinar',
      status: 'failed',
      reason: 'It broke.',
    } as const
    const times = { acceptedAt: START_TIME, reportedAt: START_TIME }
    const nothing = { recordings: [], broadcasts: [], scenes: [], dialIns: [], automaticArchives: [], timeline: [] }
    await world.services.records.writeResult({ ...result, ...times, ...nothing, labels: {} })
    const ended = await call(world, 'GET /shows/a-show')
    expect(ended.body).toMatchObject({ status: 'failed', result: { reason: 'It broke.' } })
    expect(ended.body).not.toHaveProperty('version')
  })

  it.each(['/shows/none', '/shows/NO%20ID', `/shows/${'a'.repeat(65)}`, '/shows/..%2Fother'])(
    'answers 404 to %s',
    async (path) => {
      expect((await call(world, `GET ${path}`)).status).toBe(404)
    },
  )

  it('says when a scheduled show starts', async () => {
    const start = { cron: '0 9 ? * 3#2 *', zone: 'Europe/Berlin' }
    const { body } = await call(world, 'POST /shows', { body: { ...webinar, start } })
    expect((await call(world, `GET /shows/${body.showId}`)).body).toMatchObject({
      status: 'scheduled',
      start,
      nextStart: '2026-12-08T08:00:00.000Z',
    })
  })

  it('returns the document with its defaults, in which secrets are references', async () => {
    world.keepShowSecret('keys', { live: 'a-stream-key-of-the-owner' })
    const target = { id: 'tube', serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'keys#live' } }
    const body = { ...webinar, broadcasts: [{ name: 'live', rtmp: [target] }], labels: { customer: 'c-7' } }
    const { showId } = (await call(world, 'POST /shows', { body })).body
    const answer = await call(world, `GET /shows/${showId}`)
    expect(answer.body.document).toMatchObject({ duration: 20, audienceWait: 900, labels: { customer: 'c-7' } })
    expect(answer.body.document.broadcasts[0].rtmp).toEqual([target])
    expect(JSON.stringify(answer.body)).not.toContain('a-stream-key-of-the-owner')
    expect(answer.body).not.toHaveProperty('nextStart')
  })

  it('names the session as soon as it is open, so that people can be let in', async () => {
    await world.accept()
    expect((await call(world, 'GET /shows/a-show')).body).not.toHaveProperty('sessionId')
    const { sessionId } = await run(world, 'openSession', { showId: 'a-show' })
    expect((await call(world, 'GET /shows/a-show')).body.sessionId).toBe(sessionId)
    expect((await call(world, 'POST /shows/a-show/tokens', { body: { role: 'subscriber' } })).status).toBe(200)
  })

  it('keeps to itself what is for the machine', async () => {
    await bringLive(world)
    await call(world, 'POST /shows/a-show/broadcasts', { body: { name: 'late', hls: {} }, key: 'key' })
    const emptySince = world.now()
    const seen = { participantSeen: true, emptySince, emptySeenAt: emptySince }
    await world.services.shows.update('a-show', (state) => ({ ...state, ...seen }))
    const { body } = await call(world, 'GET /shows/a-show')
    expect(body.broadcasts).toMatchObject([{ name: 'live' }, { name: 'late', status: 'started' }])
    expect(body.broadcasts[1]).not.toHaveProperty('order')
    expect(body).not.toHaveProperty('controls')
    expect(body).not.toHaveProperty('closings')
    expect(body).toMatchObject({ emptySince })
    expect(body).not.toHaveProperty('participantSeen')
    expect(body).not.toHaveProperty('emptySeenAt')
  })
})
