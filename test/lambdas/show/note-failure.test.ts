import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { run } from '../run.ts'

let world: World
beforeEach(async () => {
  world = openWorld()
  await world.accept({
    ...webinar,
    scenes: [
      { name: 'title', url: 'https://scenes.example.com/title' },
      { name: 'clock', url: 'https://scenes.example.com/clock' },
    ],
    dialIns: [{ name: 'title', uri: 'sip:stage@sip.example.com' }],
  })
})
afterEach(() => world.close())

const error = { Error: 'PlatformRequestError', Cause: '{"errorMessage":"The page is not public."}' }
const note = (kind: 'scene' | 'dialIn') => run(world, 'noteFailure', { showId: 'a-show', kind, name: 'title', error })
const state = () => world.services.shows.state('a-show')
const problem = 'The page is not public.'

describe('noteFailure', () => {
  it('notes why a scene could not be started, and keeps the others', async () => {
    expect(await note('scene')).toEqual({ name: 'title' })
    expect(await state()).toMatchObject({
      scenes: [{ name: 'title', problem }, { name: 'clock' }],
      dialIns: [{ name: 'title' }],
      timeline: [{ at: START_TIME, what: 'scene.failed', name: 'title', detail: problem }],
    })
    expect((await state()).dialIns[0]).not.toHaveProperty('problem')
  })

  it('notes why a dial-in could not be started', async () => {
    await note('dialIn')
    expect(await state()).toMatchObject({
      dialIns: [{ problem }],
      timeline: [{ what: 'dialIn.failed', name: 'title' }],
    })
    expect((await state()).scenes[0]).not.toHaveProperty('problem')
  })

  it('marks a dial-in unknown that was requested before its task was interrupted', async () => {
    const { shows } = world.services
    await shows.update('a-show', (state) => ({ ...state, dialIns: [{ name: 'title', askedAt: START_TIME }] }))
    await note('dialIn')
    expect((await state()).dialIns).toEqual([{ name: 'title', askedAt: START_TIME, status: 'unknown', problem }])
  })

  it('does not count a start that a stop prevented as failed', async () => {
    const before = await state()
    const stopped = { Error: 'ShowStoppedError', Cause: '{"errorMessage":"The show was stopped meanwhile."}' }
    for (const kind of ['scene', 'dialIn'] as const)
      await run(world, 'noteFailure', { showId: 'a-show', kind, name: 'title', error: stopped })
    expect(await state()).toEqual(before)
  })

  it('notes it once', async () => {
    await note('scene')
    const before = await state()
    await world.clock.advance(1_000)
    await note('scene')
    expect(await state()).toEqual(before)
  })
})
