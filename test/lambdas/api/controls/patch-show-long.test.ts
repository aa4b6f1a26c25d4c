import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { bringLive, call, stateOf } from '../call.ts'
import { slowPlatform } from '../slow-platform.ts'

let world: World
let sessionId: string
let timed: ReturnType<typeof slowPlatform>['timed']
/** Types of layouts in the order in which the platform was asked for them, by the archive. */
let asked: { archiveId: string; type: string }[]

beforeEach(async () => {
  world = openWorld()
  const live = await bringLive(world, {
    version: 1,
    name: 'Lecture',
    duration: 3_600,
    recordings: [{ name: 'program' }, { name: 'speakers' }],
  })
  sessionId = live.sessionId
  asked = []
  const slow = slowPlatform(world)
  timed = slow.timed
  const aSecondEach = slow.answering(1_000, async (request, pass) => {
    const archiveId = new URL(request.url).pathname.split('/').at(-2) ?? ''
    const { type } = (await request.clone().json()) as { type: string }
    asked.push({ archiveId, type })
    return pass()
  })
  world.interceptors.platform = (request, pass) => (isLayout(request) ? aSecondEach(request, pass) : pass())
})
afterEach(() => world.close())

const isLayout = isCall('PUT', /\/archive\/[^/]+\/layout$/)
const types = ['pip', 'bestFit', 'verticalPresentation', 'horizontalPresentation'] as const
/** Fifty changes, which take fifty seconds. */
const layouts = Array.from({ length: 50 }, (_, index) => ({
  recording: 'program',
  layout: { type: types[index % 4] },
}))
const patch = (body: object, key = 'once') => timed(call(world, 'PATCH /shows/a-show', { body, key }))
const watch = () => timed(run(world, 'watchShow', { showId: 'a-show', sessionId }))

describe('PATCH /shows/{id} with more than one request has time for', () => {
  const body = { layouts, duration: 5_400 }

  it('answers in time that it is under way, and the observations of the show do the rest, each once', async () => {
    const { answer, seconds } = await patch(body)
    expect(answer).toMatchObject({ status: 202, body: { showId: 'a-show', timeline: [] } })
    expect(seconds).toBeLessThan(25)
    expect(asked.length).toBeGreaterThan(5)
    expect((await patch(body)).answer).toEqual(answer) // asked again it is not begun again
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T10:00:00.000Z') // the end moves last

    let looks = 0
    while (!(await stateOf(world)).controls[0]?.done) {
      const { answer: look, seconds } = await watch()
      expect(seconds).toBeLessThan(60) // the task's own timeout
      expect(Date.parse(look.nextPollAt) - world.clock.now()).toBeLessThanOrEqual(1_000 + 5_000)
      looks++
    }
    expect(looks).toBe(2)
    expect(asked.map(({ type }) => type)).toEqual(layouts.map(({ layout }) => layout.type))
    const { plannedEndAt, timeline, controls, recordings } = await stateOf(world)
    expect(plannedEndAt).toBe('2026-11-20T10:30:00.000Z')
    expect(controls).toMatchObject([{ done: true, by: 'app' }])
    expect(recordings.find(({ name }) => name === 'program')?.layout).toEqual({ type: 'bestFit' })
    const repeated = await patch(body)
    expect(repeated.answer.status).toBe(200)
    expect(repeated.answer.body.timeline).toEqual(timeline.filter(({ what }) => what.startsWith('control.')))
    expect(repeated.answer.body.timeline).toMatchObject([
      { what: 'control.layout', name: 'program', by: 'app' },
      { what: 'control.duration' },
    ])
  })

  it('gives a part that began meanwhile all of them as well', async () => {
    await patch(body)
    const tag = 'a-show/program/2'
    const { body: archive } = await world.platform.call('startArchive', { sessionId, name: tag, multiArchiveTag: tag })
    const more = {
      name: 'program',
      part: 2,
      tag,
      archiveId: archive.id,
      createdAt: world.now(),
      status: 'started' as const,
    }
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      recordings: [...state.recordings, more],
    }))
    for (let look = 0; look < 20 && !(await stateOf(world)).controls[0]?.done; look++) await watch()
    const ofNew = asked.filter(({ archiveId }) => archiveId === more.archiveId).map(({ type }) => type)
    expect(ofNew.slice(-50)).toEqual(layouts.map(({ layout }) => layout.type))
  })

  it('says in the timeline which one the platform refused, and leaves the end', async () => {
    await patch(body)
    world.interceptors.platform = refusing(isLayout, 400)
    await watch()
    const { controls, timeline, plannedEndAt } = await stateOf(world)
    expect(controls).toMatchObject([{ done: true }])
    expect(plannedEndAt).toBe('2026-11-20T10:00:00.000Z')
    expect(timeline.at(-1)).toMatchObject({
      what: 'control.layout',
      detail: expect.stringMatching(
        /^Not every change was made, and the end was not moved\. layouts\[1\d\]: The platform refuses/,
      ),
    })
  })

  it('tries again after the next observation when the platform was not available', async () => {
    await patch(body)
    const before = asked.length
    world.interceptors.platform = refusing(isLayout, 503)
    await watch()
    const [control] = (await stateOf(world)).controls
    expect(control).toMatchObject({ done: false, pending: { made: before } })
  })
})
