import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { run, runAnyhow } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const accept = (request: object, executionName = 'a-show', startedAt = START_TIME) =>
  run(world, 'acceptShow', { executionName, startedAt, request: request as { show: unknown } })
const state = (showId = 'a-show') => world.services.shows.state(showId)
const names = { scenes: [], dialIns: [], recordings: ['program', 'speakers'], broadcasts: ['live'] }

describe('acceptShow', () => {
  it('lets out the names of a show that the API has recorded', async () => {
    await world.accept({
      ...webinar,
      scenes: [{ name: 'title', url: 'https://scenes.example.com/' }],
      dialIns: [{ name: 'stage', uri: 'sip:stage@example.com', auth: { username: 'a', password: { secret: 'a#b' } } }],
    })
    expect(await accept({ showId: 'a-show' })).toEqual({
      ...{ ...names, scenes: ['title'], dialIns: ['stage'] },
      ...{ showId: 'a-show', closing: false, waitSeconds: 0, sessionId: null },
    })
  })

  it('notes when the execution began, and keeps that when it is repeated', async () => {
    await world.accept()
    await accept({ showId: 'a-show' }, 'one', '2026-11-20T09:00:01.000Z')
    await world.services.shows.update('a-show', (state) => ({ ...state, status: 'live', sessionId: 'theirs' }))
    const again = await accept({ showId: 'a-show' }, 'one', '2026-11-20T10:00:00.000Z')
    expect(again).toEqual({ ...names, showId: 'a-show', closing: false, waitSeconds: 0, sessionId: 'theirs' })
    expect(await state()).toMatchObject({ status: 'live', startedAt: '2026-11-20T09:00:01.000Z' })
  })

  it('begins a show that was scheduled', async () => {
    const { show } = await world.accept()
    await world.services.records.acceptShow(
      {
        version: 1,
        showId: 'later',
        acceptedAt: START_TIME,
        show: { ...show, start: { at: '2026-11-21T09:00', zone: 'UTC' } },
      },
      'scheduled',
    )
    await accept({ showId: 'later' })
    expect(await state('later')).toMatchObject({ status: 'starting', startedAt: START_TIME })
  })

  it('reads how far a show has come that is to be closed, and changes nothing', async () => {
    await world.accept()
    await world.services.shows.update('a-show', (state) => ({ ...state, sessionId: 'theirs' }))
    const before = await state()
    expect(await accept({ showId: 'a-show', closing: true })).toMatchObject({ closing: true, sessionId: 'theirs' })
    expect(await state()).toEqual(before)
  })

  it('closes a show that had opened no session', async () => {
    await world.accept()
    expect(await accept({ showId: 'a-show', closing: true })).toMatchObject({ closing: true, sessionId: null })
  })

  it.each([true, false])(
    'makes the state that the recorder of the show did not write (closing: %s)',
    async (closing) => {
      await world.accept()
      await world.services.storage.delete(keys.state('a-show'))
      expect(await accept({ showId: 'a-show', closing })).toMatchObject({ recordings: names.recordings })
      expect(await state()).toMatchObject({
        status: 'starting',
        recordings: [{ name: 'program' }, { name: 'speakers' }],
      })
    },
  )

  it('records a show that an execution was started with directly, once', async () => {
    expect(await accept({ show: webinar }, 'one')).toEqual({
      ...{ ...names, showId: 'one', closing: false, waitSeconds: 0, sessionId: null },
    })
    expect(await world.services.records.readRequest('one')).toMatchObject({
      acceptedAt: START_TIME,
      show: { name: 'Launch webinar', audienceWait: 900, recordings: [{ streamMode: 'auto' }, { hasVideo: true }] },
    })
    expect(await state('one')).toMatchObject({ status: 'starting', startedAt: START_TIME })
    await accept({ show: { ...webinar, name: 'Another' } }, 'one')
    expect(await state('one')).toMatchObject({ name: 'Launch webinar' })
  })

  it('refuses to start a show at once that names when it starts', async () => {
    await expect(accept({ show: { ...webinar, start: { at: '2026-12-01T19:00' } } }, 'one')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'The show has a start time, but was started directly: post it to /shows, which schedules it.',
    })
    expect(await world.services.records.readRequest('one')).toBeUndefined()
  })

  it('makes an id of a name that is none, the same one every time', async () => {
    const name = 'Launch_2026.11:20'
    const { showId } = await accept({ show: webinar }, name)
    expect(showId).toMatch(/^[0-9a-f]{40}$/)
    expect((await accept({ show: webinar }, name)).showId).toBe(showId)
  })

  it('notes the name of its execution if that differs from the show’s id', async () => {
    const { showId } = await accept({ show: webinar }, 'Launch_1')
    expect((await state(showId)).executionName).toBe('Launch_1')
    await accept({ showId }, 'Another_1')
    expect((await state(showId)).executionName).toBe('Launch_1')
    await accept({ show: webinar }, 'launch-2')
    expect(await state('launch-2')).not.toHaveProperty('executionName')
  })

  describe('while something is replaced without which no show can run', () => {
    beforeEach(() => world.services.rotationLock.begin('The secret is being replaced', { busy: 180, longest: 1_800 }))

    it('makes the show wait, with growing pauses, and notes the reason', async () => {
      await world.accept()
      expect(await accept({ showId: 'a-show' })).toMatchObject({ waitSeconds: 2 })
      expect((await state()).waitsFor).toBe('The secret is being replaced')
      await world.clock.advance(200_000)
      expect(await accept({ showId: 'a-show' })).toMatchObject({ waitSeconds: 10 })
      await world.clock.advance(1_200_000)
      expect(await accept({ showId: 'a-show' })).toMatchObject({ waitSeconds: 15 })
      await world.clock.advance(400_000)
      expect(await accept({ showId: 'a-show' })).toMatchObject({ waitSeconds: 0 })
      expect(await state()).not.toHaveProperty('waitsFor')
    })

    it('does not keep a show from being closed, nor one waiting that is stopped', async () => {
      await world.accept()
      expect(await accept({ showId: 'a-show', closing: true })).toMatchObject({ closing: true, waitSeconds: 0 })
      await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: START_TIME }))
      expect(await accept({ showId: 'a-show' })).toMatchObject({ waitSeconds: 0 })
    })
  })

  it('names everything that is wrong with the show', async () => {
    const show = { ...webinar, duration: 0, recordings: [{ name: 'a b' }], colour: 'red' }
    await expect(accept({ show }, 'one')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(
        /^The show is not valid: .*duration .*recordings\[0\]\.name .*colour is not a field/,
      ),
    })
    expect(await world.services.records.readRequest('one')).toBeUndefined()
  })

  it('names a show that is not there', async () => {
    await expect(accept({ showId: 'none' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'There is no show none: post it to /shows first.',
    })
  })

  it.each([
    [{}],
    [undefined],
    [{ executionName: 'one', startedAt: 'noon', request: { showId: 'a' } }],
    [{ executionName: 'one', startedAt: START_TIME, request: { showId: '../other' } }],
    [{ executionName: 'one', startedAt: START_TIME, request: { show: webinar, closing: true } }],
  ])('refuses the input %j', async (input) => {
    await expect(runAnyhow(world, 'acceptShow', input ?? null)).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^The input of acceptShow is not valid\. /),
    })
  })
})
