import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const isPut = (key: string) => (request: Request) => request.method === 'PUT' && request.url.includes(key)
const details = () => world.ownerEvents.map(({ detail }) => detail as { id: string; event: string })

describe('createShows', () => {
  it('adds an event to the timeline once, however often it is noticed', async () => {
    const { shows } = world.services
    const { showId } = await world.accept()
    await shows.note(showId, { what: 'upload.targetSet' }, { what: 'scene.started', name: 'lobby' })
    await world.clock.advance(1_000)
    const { timeline } = await shows.note(showId, { what: 'scene.started', name: 'lobby' })
    expect(timeline).toEqual([
      { at: START_TIME, what: 'upload.targetSet' },
      { at: START_TIME, what: 'scene.started', name: 'lobby' },
    ])
    expect(world.ownerEvents).toEqual([]) // neither is for the owner
  })

  it('notifies the owner of a recording with all its details', async () => {
    const { shows } = world.services
    const callback = { url: 'https://app.example.com/hook' }
    const { showId } = await world.accept({ ...webinar, callback, labels: { customer: 'c-1' } })
    const started = await shows.update(
      showId,
      (state) => ({
        ...state,
        sessionId: '1_session',
        recordings: state.recordings.map((one) => ({ ...one, archiveId: `of ${one.name}` })),
      }),
      { what: 'recording.started', name: 'speakers', part: 1 },
    )
    expect(started.timeline).toHaveLength(1)
    expect(world.ownerEvents).toMatchObject([{ source: 'showrunner', 'detail-type': 'recording.started' }])
    expect(details()).toEqual([
      {
        id: `${showId}/recording.started/speakers/1/`,
        event: 'recording.started',
        at: START_TIME,
        showId,
        name: 'speakers',
        part: 1,
        sessionId: '1_session',
        archiveId: 'of speakers',
        labels: { customer: 'c-1' },
        callback: true,
        stage: 'test',
      },
    ])
  })

  it('publishes before it notes: an interruption publishes again under the same id', async () => {
    const { shows } = world.services
    const { showId } = await world.accept()
    world.interceptors.aws = async (request, pass) =>
      isPut('state.json')(request) ? new Response(null, { status: 503 }) : pass()
    await expect(shows.note(showId, { what: 'session.opened' })).rejects.toMatchObject({ name: 'StorageError' })
    world.interceptors.aws = (_request, pass) => pass()
    expect((await shows.state(showId)).timeline).toEqual([])
    await shows.note(showId, { what: 'session.opened' })
    const [first, second] = details()
    expect([first?.event, second?.id]).toEqual(['session.opened', first?.id])
    expect((await shows.state(showId)).timeline).toHaveLength(1)
  })

  it('notes nothing that the bus did not take', async () => {
    const { shows } = world.services
    const { showId } = await world.accept()
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.startsWith('AWSEvents') ? new Response(null, { status: 500 }) : pass()
    await expect(shows.note(showId, { what: 'session.opened' })).rejects.toMatchObject({ name: 'ServiceError' })
    expect((await shows.state(showId)).timeline).toEqual([])
  })

  it('publishes once although another call wrote the state meanwhile', async () => {
    const { shows, records } = world.services
    const { showId } = await world.accept()
    let isFirst = true
    world.interceptors.aws = async (request, pass) => {
      if (isFirst && isPut('state.json')(request)) {
        isFirst = false
        await records.updateState(showId, (state) => ({ ...state, status: 'waiting' }))
      }
      return pass()
    }
    const state = await shows.note(showId, { what: 'session.opened' })
    expect([state.status, state.timeline.length, world.ownerEvents.length]).toEqual(['waiting', 1, 1])
  })

  it('fails for a show that was not posted', async () => {
    const { shows } = world.services
    const message = expect.stringContaining('post it to /shows first')
    await expect(shows.request('none')).rejects.toMatchObject({ name: 'TaskInputError', message })
    await expect(shows.state('none')).rejects.toMatchObject({ name: 'TaskInputError', message })
  })

  it('returns the document that replaced that of a scheduled show, until the show begins', async () => {
    const { shows, records } = world.services
    const { showId, show } = await world.accept({ ...webinar, start: { at: '2026-12-24T19:00:00Z' } }, 'a-show')
    await records.updateState(showId, (state) => ({ ...state, status: 'scheduled' }))
    const edit = async (name: string) => {
      const written = await records.writeEdit(showId, { version: 1, showId, show: { ...show, name } })
      await records.updateState(showId, (state) => ({ ...state, edit: written }))
    }
    const nameNow = async () => (await shows.request(showId)).show.name
    expect(await nameNow()).toBe(webinar.name)
    await edit('Second')
    expect(await nameNow()).toBe('Second')
    await edit('Third')
    await records.updateState(showId, (state) => ({ ...state, status: 'starting' }))
    expect(await nameNow()).toBe('Third')
  })

  it('reads the request of a show without a start once, since it never changes', async () => {
    const { shows } = world.services
    const { showId } = await world.accept()
    let reads = 0
    world.interceptors.aws = (request, pass) => {
      if (request.url.includes('request.json')) reads++
      return pass()
    }
    await shows.request(showId)
    await shows.request(showId)
    expect(reads).toBe(1)
  })
})
