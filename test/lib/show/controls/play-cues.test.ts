import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bringLive, run } from '../../../lambdas/run.ts'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'

const signal = { type: 'notice', data: 'Questions, please!' }
const pip = { type: 'pip' } as const

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
/** Layouts and signals in the order in which the platform was asked for them. */
let asked: string[]
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world, {
    ...webinar,
    duration: 600,
    cues: [
      { at: 100, recording: 'program', layout: pip },
      { at: 30, signal },
      { at: 30, broadcast: 'live', layout: { type: 'verticalPresentation' } },
      { at: 20, marker: 'Talk' }, // is not polled for
    ],
  })
  asked = []
  world.interceptors.platform = async (request, pass) => {
    if (isSignal(request) || isLayout(request)) asked.push(((await request.clone().json()) as { type: string }).type)
    return pass()
  }
})
afterEach(() => world.close())

const isSignal = isCall('POST', /\/signal$/)
const isLayout = isCall('PUT', /\/layout$/)
const watch = () => run(world, 'watchShow', { showId: show.showId, sessionId: show.sessionId })
const state = () => world.services.shows.state('a-show')
const cuesNoted = async () => (await state()).timeline.filter(({ what }) => what.startsWith('cue.'))
const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

describe('playCues', () => {
  it('polls when the next cue is due', async () => {
    await world.clock.advance(27_000)
    expect((await watch()).nextPollAt).toBe(inSeconds(3))
    await world.clock.advance(3_000)
    await watch()
    await world.clock.advance(32_000)
    expect((await watch()).nextPollAt).toBe(inSeconds(38))
  })

  it('carries out each at its time, once, and notes it', async () => {
    await world.clock.advance(30_000)
    await watch()
    await watch()
    expect(asked).toEqual(['notice', 'verticalPresentation'])
    await world.clock.advance(70_000)
    await watch()
    await watch()
    expect(asked).toEqual(['notice', 'verticalPresentation', 'pip'])
    expect(await cuesNoted()).toMatchObject([
      { what: 'cue.signal', id: 'cue-2', detail: 'A signal notice was sent.' },
      { what: 'cue.layout', id: 'cue-3', name: 'live' },
      { what: 'cue.layout', id: 'cue-1', name: 'program', detail: 'The layout of the recording program is pip.' },
    ])
  })

  it('keeps a layout for the parts that follow', async () => {
    await world.clock.advance(100_000)
    await watch()
    expect((await state()).recordings.find(({ name }) => name === 'program')).toMatchObject({ layout: pip })
    const due = { recordings: { start: [{ name: 'program', part: 2 }], stop: [] }, broadcasts: { start: [], stop: [] } }
    await run(world, 'rollOver', { showId: 'a-show', sessionId: show.sessionId, due })
    expect((await state()).recordings.find(({ part }) => part === 2)).toMatchObject({ layout: pip })
  })

  it('does not repeat one whose note was written although its answer was lost', async () => {
    await world.clock.advance(30_000)
    world.interceptors.aws = losingAnswers(isCall('PUT', /state\.json/))
    await watch().catch(() => undefined)
    await watch()
    expect(asked).toEqual(['notice', 'verticalPresentation'])
    expect(await cuesNoted()).toHaveLength(2)
  })

  it('retries while the platform fails, and gives up a signal after five minutes', async () => {
    await world.clock.advance(30_000)
    world.interceptors.platform = refusing(isSignal, 500)
    expect((await watch()).nextPollAt).toBe(inSeconds(5))
    expect((await cuesNoted()).map(({ id }) => id)).toEqual(['cue-3'])
    await world.clock.advance(300_000)
    await watch()
    expect((await cuesNoted()).filter(({ id }) => id === 'cue-2')).toMatchObject([{ what: 'cue.failed' }])
  })

  it('notes what the platform refuses, and carries out the others', async () => {
    await world.clock.advance(100_000)
    world.interceptors.platform = refusing(isLayout, 400)
    await watch()
    expect(await cuesNoted()).toMatchObject([
      { what: 'cue.signal', id: 'cue-2' },
      { what: 'cue.failed', id: 'cue-3', detail: expect.stringContaining('The platform refuses it (400') },
      { what: 'cue.failed', id: 'cue-1' },
    ])
  })

  it('carries out none after a stop was requested', async () => {
    await world.clock.advance(29_000)
    await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: inSeconds(0) }))
    await world.clock.advance(1_000)
    await watch()
    expect([asked, await cuesNoted()]).toEqual([[], []])
  })
})
