import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { isCall, laggingLists, losingAnswers, losingRequests, refusing } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'

const document = {
  ...webinar,
  scenes: [
    { name: 'title', url: 'https://scenes.example.com/title', resolution: '1920x1080', maxDuration: 3_600 },
    { name: 'clock', url: 'https://scenes.example.com/clock' },
  ],
} satisfies ShowDocument

let world: World
let show: Awaited<ReturnType<typeof openShow>>
const isStart = isCall('POST', /\/render$/)
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world, document)
})
afterEach(() => world.close())

const start = (name = 'title') => run(world, 'startScene', { showId: 'a-show', sessionId: show.sessionId, name })
const state = () => world.services.shows.state('a-show')
const composers = async () => (await world.platform.call('listComposers')).body.items
const ask = (change: object) => world.services.shows.update('a-show', (state) => ({ ...state, ...change }))

describe('startScene', () => {
  it('starts the scene with all its options, as a publisher of its name', async () => {
    let sent: unknown
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) sent = await request.clone().json()
      return pass()
    }
    const started = await start()
    expect(started).toEqual({ name: 'title', composerId: expect.any(String), status: 'starting' })
    expect(sent).toEqual({
      ...{ sessionId: show.sessionId, url: 'https://scenes.example.com/title' },
      token: expect.stringMatching(/^ey/),
      ...{ resolution: '1920x1080', maxDuration: 3_600, properties: { name: 'title' } },
    })
    await world.clock.advance(5_000)
    const { body } = await world.platform.call('listStreams', { sessionId: show.sessionId })
    expect(body.items).toMatchObject([{ name: 'title', videoType: 'custom' }])
  })

  it('notes the composer, and no token', async () => {
    const { composerId } = await start()
    const { scenes, timeline } = await state()
    expect(scenes).toEqual([
      { name: 'title', composerId, status: 'starting', createdAt: START_TIME },
      { name: 'clock' },
    ])
    expect(timeline.at(-1)).toEqual({ at: START_TIME, what: 'scene.started', name: 'title' })
    expect(JSON.stringify(await state())).not.toMatch(/eyJ/)
  })

  it('returns the noted composer when it is repeated', async () => {
    const first = await start()
    world.calls.length = 0
    expect(await start()).toEqual(first)
    expect(world.calls).toEqual([])
  })

  it('adopts the composer whose answer was lost, or which could not be noted', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const { composerId } = await start()
    await ask({ scenes: document.scenes.map(({ name }) => ({ name })) })
    expect(await start()).toMatchObject({ composerId })
    expect(await composers()).toHaveLength(1)
  })

  it('starts one composer although its answer is lost and lists lag', async () => {
    world.interceptors.platform = laggingLists(3, losingAnswers(isStart))
    const { composerId } = await start()
    expect(await composers()).toMatchObject([{ id: composerId }])
  })

  it('starts one composer although it cannot be noted and lists lag', async () => {
    const isNote = isCall('PUT', /state\.json$/)
    world.interceptors.platform = async (request, pass) => {
      const answer = await pass()
      if (isStart(request)) world.interceptors.aws = refusing(isNote, 500, 1)
      return answer
    }
    await expect(start()).rejects.toMatchObject({ name: 'StorageError' })
    expect((await state()).scenes[0]).toEqual({ name: 'title', askedAt: START_TIME })
    world.interceptors.platform = laggingLists(3)
    const { composerId } = await start()
    expect(await composers()).toMatchObject([{ id: composerId }])
    expect((await state()).scenes[0]).not.toHaveProperty('askedAt')
  })

  it('is repeated when its request was lost, and starts one composer then', async () => {
    world.interceptors.platform = losingRequests(isStart)
    await expect(start()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    const { composerId } = await start()
    expect(await composers()).toMatchObject([{ id: composerId }])
  })

  it('starts every page once', async () => {
    await Promise.all([start('title'), start('clock')])
    const { scenes } = await state()
    expect((await composers()).map(({ id }: { id: string }) => id).sort()).toEqual(
      scenes.map(({ composerId }) => composerId).sort(),
    )
  })

  it.each([
    [400, 'PlatformRequestError'],
    [403, 'PlatformAuthError'],
    [503, 'PlatformUnavailableError'],
  ])('fails on %i with an error that the machine handles', async (status, name) => {
    world.interceptors.platform = refusing(isStart, status)
    await expect(start()).rejects.toMatchObject({ name })
    expect((await state()).scenes).toEqual([{ name: 'title' }, { name: 'clock' }])
  })

  it('forgets why an earlier attempt failed', async () => {
    await ask({ scenes: [{ name: 'title', problem: 'The platform refused.' }] })
    await start()
    expect((await state()).scenes[0]).not.toHaveProperty('problem')
  })

  it('starts nothing in a stopped show, and stops what an earlier attempt started', async () => {
    await start()
    await world.clock.advance(5_000)
    await ask({ scenes: [{ name: 'title' }], stopAskedAt: START_TIME })
    await expect(start()).rejects.toMatchObject({
      name: 'ShowStoppedError',
      message: 'The show was stopped meanwhile.',
    })
    expect(await composers()).toMatchObject([{ status: 'stopped', reason: 'Stop Requested' }])
  })

  it('stops the new resource when the show was stopped meanwhile', async () => {
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) await ask({ stopAskedAt: START_TIME })
      return pass()
    }
    await expect(start()).rejects.toMatchObject({ name: 'ShowStoppedError' })
    await world.clock.advance(5_000)
    expect(await composers()).toMatchObject([{ status: 'stopped' }])
    expect((await state()).scenes[0]).toMatchObject({ composerId: expect.any(String) })
  })

  it('names a scene that the show does not order', async () => {
    await expect(start('other')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'The show a-show orders no scene other.',
    })
  })
})
