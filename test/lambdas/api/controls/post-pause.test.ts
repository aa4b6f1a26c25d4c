import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { bringLive, call, stateOf } from '../call.ts'

let world: World
let sessionId: string
const document = {
  ...{ version: 1 as const, name: 'Talk', duration: 3_600 },
  recordings: [
    { name: 'program', pauses: [{ from: 600, to: 1_200 }] },
    { name: 'chosen', streamMode: 'manual' as const },
    { name: 'whole', parts: false },
  ],
}
beforeEach(async () => {
  world = openWorld()
  sessionId = (await bringLive(world, document)).sessionId
})
afterEach(() => world.close())

const control = (action: 'pause' | 'resume', recording = 'program', key?: string) =>
  call(world, `POST /shows/a-show/recordings/${recording}/${action}`, { body: {}, ...(key !== undefined && { key }) })
const parts = async () =>
  (await stateOf(world)).recordings
    .filter(({ name }) => name === 'program')
    .map(({ part, status, stoppedAt }) => `${part} ${stoppedAt ? 'stopped' : status}`)
const running = async () =>
  ((await world.platform.call('listArchives', { sessionId })).body.items as { status: string; name: string }[])
    .filter(({ status, name }) => status === 'started' && name.startsWith('a-show/program/'))
    .map(({ name }) => name)
const noted = async () =>
  (await stateOf(world)).timeline
    .map(({ what, part }) => [what, part].join(' ').trim())
    .filter((one) => /^(re|co)/.test(one))
/** Polls once and does what is due, like the watch machine. */
async function poll() {
  const { due, ...polled } = await run(world, 'watchShow', { showId: 'a-show', sessionId })
  if (due) await run(world, 'rollOver', { showId: 'a-show', sessionId, due })
  return { ...polled, due }
}

describe('POST /shows/{id}/recordings/{name}/pause and resume', () => {
  it('stops the part at once, and starts the next at once', async () => {
    expect(await control('pause')).toMatchObject({
      status: 200,
      body: { timeline: [{ what: 'control.pause', name: 'program', detail: 'The recording program is paused.' }] },
    })
    expect([await parts(), await running()]).toEqual([['1 stopped'], []])
    await world.clock.advance(60_000)
    expect(await poll()).toMatchObject({ over: false, due: null })
    expect(await control('resume')).toMatchObject({ status: 200, body: { timeline: [{ what: 'control.resume' }] } })
    expect([await parts(), await running()]).toEqual([['1 stopped', '2 started'], ['a-show/program/2']])
    expect(await poll()).toMatchObject({ due: null })
    expect(await noted()).toEqual([
      ...['recording.paused 1', 'control.pause', 'recording.started 2', 'recording.resumed 2', 'control.resume'],
    ])
    const { pauses } = (await call(world, 'GET /shows/a-show')).body
    expect(pauses).toMatchObject([{ action: 'pause' }, { action: 'resume' }])
  })

  it('refuses what the recording does not allow', async () => {
    const refusal = (detail: string) => ({ status: 409, body: { code: 'wrong-recording-state', detail } })
    expect(await control('resume')).toMatchObject(refusal('The recording program is not paused.'))
    await control('pause')
    expect(await control('pause')).toMatchObject(refusal('The recording program is paused already.'))
    await control('resume')
    await world.platform.call('stopArchive', { archiveId: (await stateOf(world)).recordings[1]?.archiveId })
    await poll()
    expect(await control('pause')).toMatchObject(refusal('The recording program is not running.'))
    for (const [name, message] of [
      ['other', 'names no recording of the show: other'],
      ['chosen', 'must name a recording with streamMode auto: the platform forgets the selected streams'],
      ['whole', 'must name a recording with parts: it resumes in another part'],
    ])
      expect(await control('pause', name)).toMatchObject({
        ...{ status: 409, body: { code: 'change-refused', problems: [{ path: 'name', message }] } },
      })
    await call(world, 'POST /shows/a-show/stop')
    expect(await control('pause')).toMatchObject({ status: 409, body: { code: 'wrong-show-state' } })
  })

  it('is carried out once under one key, also after a lost answer of the platform', async () => {
    world.interceptors.platform = losingAnswers(isCall('POST', /\/stop$/))
    const [first, second] = [await control('pause', 'program', 'one'), await control('pause', 'program', 'one')]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    world.interceptors.platform = losingAnswers(isCall('POST', /\/archive$/))
    await control('resume', 'program', 'two')
    expect((await control('resume', 'program', 'two')).status).toBe(200)
    expect([await parts(), (await stateOf(world)).pauses?.length]).toEqual([['1 stopped', '2 started'], 2])
    expect(await control('resume', 'chosen', 'two')).toMatchObject({ body: { code: 'idempotency-key-reused' } })
  })

  it.each([500, 409])('leaves to the next poll what the platform refuses to do at once: %i', async (status) => {
    await world.clock.advance(60_000)
    world.interceptors.platform = refusing(isCall('POST', /\/stop$/), status)
    const paused = await control('pause')
    expect(paused.body.timeline[0].detail).toContain('pauses within a minute')
    expect((await stateOf(world)).timeline.map(({ what }) => what)).not.toContain('recording.paused')
    world.interceptors.platform = (_request, pass) => pass()
    expect((await poll()).due?.recordings.stop).toEqual([{ name: 'program', part: 1 }])
    expect(await running()).toEqual([])
    world.interceptors.platform = refusing(isCall('POST', /\/archive$/), 500)
    const resumed = await control('resume')
    expect(resumed.body.timeline[0].detail).toContain('resumes once the platform can start it')
    world.interceptors.platform = (_request, pass) => pass()
    expect((await poll()).due?.recordings.start).toEqual([{ name: 'program', part: 2 }])
    expect(await running()).toEqual(['a-show/program/2'])
  })

  it('ends a planned pause early, and outlasts one', async () => {
    await world.clock.advance(600_000)
    await poll()
    expect(await running()).toEqual([])
    await world.clock.advance(60_000)
    expect((await control('resume')).status).toBe(200)
    expect(await running()).toEqual(['a-show/program/2'])
    await world.clock.advance(60_000)
    expect(await poll()).toMatchObject({ due: null })
    await control('pause')
    await world.clock.advance(1_000_000)
    expect(await poll()).toMatchObject({ over: false, due: null })
    expect(await running()).toEqual([])
  })

  it('stops a part that starts at the same time', async () => {
    world.interceptors.platform = async (request, pass) => {
      const isStart = isCall('POST', /\/archive$/)(request)
      if (isStart) await control('pause')
      return pass()
    }
    const due = { recordings: { start: [{ name: 'program', part: 2 }], stop: [] }, broadcasts: { start: [], stop: [] } }
    expect(await run(world, 'rollOver', { showId: 'a-show', sessionId, due })).toEqual({ started: 0, stopped: 0 })
    expect(await running()).toEqual([])
  })
})
