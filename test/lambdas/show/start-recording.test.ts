import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, laggingLists, losingAnswers, losingRequests, refusing } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World } from '../../support/world.ts'
import { openShow, run, runAnyhow } from '../run.ts'

const isStart = isCall('POST', /\/archive$/)

let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world)
  await world.platform.join(show.sessionId)
})
afterEach(() => world.close())

const input = () => ({ showId: show.showId, sessionId: show.sessionId, name: 'program' })
const start = () => run(world, 'startRecording', input())
const archives = async () => (await world.platform.call('listArchives', { sessionId: show.sessionId })).body.items

describe('startRecording', () => {
  it('starts an archive and returns only the fields of its task', async () => {
    expect(await start()).toEqual({
      name: 'program',
      part: 1,
      tag: 'a-show/program/1',
      archiveId: expect.any(String),
      createdAt: START_TIME,
      status: 'started',
    })
  })

  it('adopts the archive when it is repeated, and when an answer was lost', async () => {
    world.interceptors.platform = losingAnswers(isStart)
    const first = await start()
    expect(await start()).toEqual(first)
    expect(await archives()).toHaveLength(1)
  })

  it.each([
    ['its request is lost', losingRequests(isStart)],
    ['its answer is lost and lists lag', laggingLists(3, losingAnswers(isStart))],
    ['its answer and the next are lost', losingAnswers(isStart, 2)],
  ])('starts one archive although %s', async (_what, interceptor) => {
    world.interceptors.platform = interceptor
    const { archiveId } = await start()
    expect(await archives()).toMatchObject([{ id: archiveId }])
  })

  it('returns no link to the file when it adopts an available archive', async () => {
    const { archiveId } = await start()
    world.interceptors.platform = async (_request, pass) => {
      const page = (await (await pass()).json()) as { items: object[] }
      const links = { status: 'available', url: 'https://files.example.com/?signature=1' }
      return Response.json({ ...page, items: page.items.map((item) => ({ ...item, ...links })) })
    }
    const adopted = await start()
    expect(adopted).toMatchObject({ archiveId, status: 'available' })
    expect(JSON.stringify(adopted)).not.toMatch('signature')
  })

  it('fails for a repetition while the platform is unavailable', async () => {
    world.interceptors.platform = refusing(isStart, 503)
    await expect(start()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('fails with an explanation in a relayed session', async () => {
    const sessionId = await world.platform.createSession({ 'p2p.preference': 'enabled' })
    await world.platform.join(sessionId)
    await expect(run(world, 'startRecording', { ...input(), sessionId })).rejects.toMatchObject({
      name: 'PlatformConflictError',
      message: expect.stringMatching(/^The session is relayed/),
    })
  })

  it('starts nothing once the show was asked to stop', async () => {
    await world.services.shows.update('a-show', (state) => ({ ...state, stopAskedAt: START_TIME }))
    await expect(start()).rejects.toMatchObject({ name: 'ShowStoppedError' })
    expect(await archives()).toEqual([])
  })

  it('names the problems of its input', async () => {
    await expect(runAnyhow(world, 'startRecording', { showId: 'a-show' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^The input of startRecording is not valid\. sessionId: .*; name: /),
    })
  })
})
