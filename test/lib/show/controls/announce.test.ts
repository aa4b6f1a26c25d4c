import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announce } from '../../../../lib/show/controls/announce.ts'
import { openShow } from '../../../lambdas/run.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../../support/world.ts'

const started = { type: 'recording', data: 'This is being recorded.' }
let world: World
let show: Awaited<ReturnType<typeof openShow>>
let bodies: unknown[]
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world, { ...webinar, announcements: { recordingStarted: started } })
  bodies = []
  world.interceptors.platform = async (request, pass) => {
    bodies.push(await request.clone().json())
    return pass()
  }
})
afterEach(() => world.close())

const tell = (occasion: Parameters<typeof announce>[2] = 'recordingStarted') => announce(world.services, show, occasion)
const timeline = async () => (await world.services.shows.state('a-show')).timeline.slice(2)

describe('announce', () => {
  it('sends the signal that the show orders, once, and notes it', async () => {
    await tell()
    await tell()
    expect(bodies).toEqual([started])
    expect(await timeline()).toEqual([{ at: START_TIME, what: 'announcement.sent', id: 'recordingStarted' }])
  })

  it('sends nothing if the show orders nothing', async () => {
    await tell('recordingStopped')
    expect([bodies, await timeline()]).toEqual([[], []])
  })

  it.each([400, 404, 500])('notes that it was answered %i, and fails nothing', async (status) => {
    world.interceptors.platform = refusing(isCall('POST', /\/signal$/), status)
    await tell()
    await tell()
    expect(world.calls.filter((call) => call.endsWith('/signal'))).toHaveLength(1)
    expect(await timeline()).toMatchObject([
      { what: 'announcement.failed', id: 'recordingStarted', detail: expect.stringContaining(`answered ${status}`) },
    ])
  })

  it('sends it again when it could not be noted', async () => {
    let writes = 0
    world.interceptors.aws = async (request, pass) =>
      request.method === 'PUT' && ++writes === 1 ? new Response('', { status: 500 }) : pass()
    await expect(tell()).rejects.toMatchObject({ name: 'StorageError' })
    await tell()
    expect(bodies).toHaveLength(2)
  })
})
