import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { isCall, losingAnswers, refusing } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { run } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const accept = (session: ShowDocument['session'] = {}) => world.accept({ ...webinar, session })
const open = () => run(world, 'openSession', { showId: 'a-show' })
const state = () => world.services.records.readState('a-show')
const archives = async (sessionId: string) => (await world.platform.call('listArchives', { sessionId })).body.items

describe('openSession', () => {
  it('creates a routed session, notes it and notifies the owner', async () => {
    await accept()
    const { sessionId } = await open()
    expect(await state()).toMatchObject({ sessionId, timeline: [{ at: START_TIME, what: 'session.opened' }] })
    await world.platform.join(sessionId)
    expect((await world.platform.call('startArchive', { sessionId })).status).toBe(200) // a relayed one answers 409
    expect(world.ownerEvents).toMatchObject([
      { 'detail-type': 'session.opened', detail: { id: 'a-show/session.opened///', showId: 'a-show', sessionId } },
    ])
  })

  it('creates it near the place and with the archive mode that the show names', async () => {
    await accept({ location: '10.1.2.3', archiveMode: 'always' })
    let form = ''
    world.interceptors.platform = async (request, pass) => {
      form = await request.clone().text()
      return pass()
    }
    const { sessionId } = await open()
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      ...{ archiveMode: 'always', location: '10.1.2.3', 'p2p.preference': 'disabled' },
    })
    await world.platform.join(sessionId)
    expect(await archives(sessionId)).toHaveLength(1)
  })

  it('opens one session however often it is repeated', async () => {
    await accept()
    const first = await open()
    world.calls.length = 0
    expect(await open()).toEqual(first)
    expect([world.calls, world.ownerEvents.length]).toEqual([[], 1])
    expect((await state())?.timeline).toHaveLength(1)
  })

  it('notifies the owner only of the noted session, after any interruption', async () => {
    await accept()
    const isNote = isCall('PUT', /state\.json$/)
    world.interceptors.aws = refusing(isNote, 500, 1)
    await expect(open()).rejects.toMatchObject({ name: 'StorageError' })
    expect(world.ownerEvents).toEqual([])
    world.interceptors.aws = refusing(
      (request) => !!request.headers.get('x-amz-target')?.startsWith('AWSEvents'),
      500,
      1,
    )
    await expect(open()).rejects.toMatchObject({ name: 'ServiceError' })
    const { sessionId } = await open()
    expect(world.ownerEvents.map(({ detail }) => detail)).toMatchObject([{ sessionId }])
    expect((await state())?.sessionId).toBe(sessionId)
  })

  it('opens a session although an answer was lost', async () => {
    await accept()
    world.interceptors.platform = losingAnswers(isCall('POST', /\/session\/create$/))
    expect(await open()).toEqual({ sessionId: (await state())?.sessionId })
  })

  it('opens another session after an answer that cannot be understood', async () => {
    await accept()
    let answers = 0
    world.interceptors.platform = async (_request, pass) => {
      const response = await pass()
      return ++answers === 1 ? Response.json([{ session_id: null }]) : response
    }
    const { sessionId } = await open()
    expect([answers, (await state())?.sessionId]).toEqual([2, sessionId])
  })

  it('adopts the session the show names without asking the platform', async () => {
    const id = await world.platform.createSession()
    await accept({ id })
    expect(await open()).toEqual({ sessionId: id })
    expect(world.calls).toEqual([])
    expect(await state()).toMatchObject({ sessionId: id, timeline: [{ what: 'session.opened' }] })
  })

  it('refuses a session of another project at once', async () => {
    await accept({ id: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4' })
    await expect(open()).rejects.toMatchObject({
      name: 'TaskInputError',
      message: `The show’s session.id belongs to the platform project 100001, but this deployment uses ${world.platform.apiKey}: create the session there.`,
    })
    expect(world.calls).toEqual([])
    expect((await state())?.sessionId).toBeUndefined()
  })

  it('refuses an id that is not a session id', async () => {
    await accept({ id: 'theirs' })
    await expect(open()).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'The show’s session.id is not a session id: use one that the platform created.',
    })
  })

  it('leaves a failure of the platform to the retries', async () => {
    await accept()
    world.interceptors.platform = refusing(() => true, 503)
    await expect(open()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect((await state())?.sessionId).toBeUndefined()
  })
})
