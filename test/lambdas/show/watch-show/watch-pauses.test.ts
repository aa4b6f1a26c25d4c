import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, run, settled } from '../../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
const document = {
  ...{ version: 1 as const, name: 'Conference', duration: 3_600 },
  recordings: [{ name: 'program', pauses: [{ from: 600, to: 1_200 }] }, { name: 'tracks' }],
}
const lone = { ...document, recordings: [document.recordings[0] as { name: string }] }
const open = async (what: typeof lone = document) => {
  world = openWorld()
  show = await bringLive(world, what)
}
beforeEach(() => open())
afterEach(() => world.close())

const ids = () => ({ showId: show.showId, sessionId: show.sessionId })
const state = () => world.services.shows.state('a-show')
const program = async () => (await state()).recordings.filter(({ name }) => name === 'program')
/** Polls once and does what is due, like the watch machine. Returns the poll. */
async function poll() {
  const { due, ...polled } = await run(world, 'watchShow', ids())
  if (due) await run(world, 'rollOver', { ...ids(), due })
  return { ...polled, due }
}
/** Does what the watch machine does until some seconds of live time. */
async function watchUntil(seconds: number) {
  const until = Date.parse((await state()).liveAt ?? '') + seconds * 1000
  for (;;) {
    const polled = await poll()
    const next = Math.min(Date.parse(polled.nextPollAt), until)
    if (polled.over || next <= world.clock.now()) return polled
    await world.clock.advance(next - world.clock.now())
  }
}
const noted = async () =>
  (await state()).timeline
    .filter(({ what, name }) => what.startsWith('recording.') && name === 'program')
    .map(({ what, part }) => `${what} ${part}`)
const secondsOf = async (time: string | undefined) =>
  (Date.parse(time ?? '') - Date.parse((await state()).liveAt ?? '')) / 1000

describe('watchShow with pauses', () => {
  it('stops the part at the time, starts the next at the end, and notifies the owner of both', async () => {
    await watchUntil(599)
    expect(await program()).toMatchObject([{ status: 'started' }])
    await watchUntil(1_199)
    expect(await program()).toMatchObject([{ part: 1, reason: 'user initiated', stoppedAt: expect.any(String) }])
    expect(await secondsOf((await program())[0]?.stoppedAt)).toBe(600)
    await watchUntil(1_300)
    const [, next] = await program()
    expect(next).toMatchObject({ part: 2, tag: 'a-show/program/2', status: 'started' })
    expect(await secondsOf(next?.createdAt)).toBe(1_200)
    expect(await noted()).toEqual([
      ...['recording.started 1', 'recording.paused 1'],
      ...['recording.started 2', 'recording.resumed 2'],
    ])
    const sent = world.ownerEvents.map((event) => event['detail-type'])
    expect(sent.filter((kind) => /paused|resumed/.test(kind))).toEqual(['recording.paused', 'recording.resumed'])
    expect((await state()).recordings.filter(({ name }) => name === 'tracks')).toHaveLength(1)
  })

  it('stops an archive of which the start arrives after its part has ended, and names it in the result', async () => {
    await watchUntil(700)
    const platform = await world.services.platform()
    const late = { sessionId: show.sessionId, name: 'a-show/program/1', multiArchiveTag: 'a-show/program/1' }
    const { id } = await platform.startArchive(late)
    await watchUntil(720)
    expect(await platform.getArchive({ archiveId: id })).toMatchObject({ reason: 'user initiated' })
    expect((await program()).map(({ archiveId }) => archiveId)).not.toContain(id)
    await watchUntil(3_600)
    await run(world, 'stopShow', { ...ids(), reason: null, failure: null })
    await settled(world)
    await run(world, 'reportShow', { ...ids(), reason: null, failure: null })
    const { strays, recordings = [] } = (await world.services.records.readResult('a-show')) ?? {}
    expect(strays).toMatchObject([{ archiveId: id, tag: 'a-show/program/1', status: 'uploaded' }])
    expect(recordings.map(({ name, part }) => `${name} ${part}`)).toEqual(['program 1', 'program 2', 'tracks 1'])
  })

  it('loses nothing: the result has both parts, without overlap', async () => {
    await watchUntil(3_600)
    await run(world, 'stopShow', { ...ids(), reason: null, failure: null })
    await settled(world)
    await run(world, 'checkUploads', ids())
    const { status } = await run(world, 'reportShow', { ...ids(), reason: null, failure: null })
    expect(status).toBe('succeeded')
    const { recordings = [] } = (await world.services.records.readResult('a-show')) ?? {}
    expect(recordings.map(({ name, part, duration }) => [name, part, duration])).toEqual([
      ['program', 1, 600],
      ['program', 2, 2_400],
      ['tracks', 1, 3_600],
    ])
    for (const one of recordings) expect(one).not.toHaveProperty('lost')
    expect(recordings[1]).not.toHaveProperty('overlap')
  })

  it('continues a show that runs nothing in the pause, and ends one whose participants are not back', async () => {
    world.close()
    await open(lone)
    await watchUntil(700)
    await show.guest.leave()
    expect(await watchUntil(1_400)).toMatchObject({ over: false })
    expect(await watchUntil(3_000)).toMatchObject({
      over: true,
      reason: 'Everything had ended before the planned end.',
    })
    expect(await secondsOf(world.now())).toBeLessThanOrEqual(1_505)
    expect(await program()).toHaveLength(1)
  })

  it('resumes once a participant is back', async () => {
    world.close()
    await open(lone)
    await watchUntil(700)
    await show.guest.leave()
    await watchUntil(1_300)
    await world.platform.join(show.sessionId)
    await watchUntil(1_310)
    expect(await program()).toMatchObject([{ part: 1 }, { part: 2, status: 'started' }])
  })

  it('adopts what a lost answer has stopped and started', async () => {
    await watchUntil(599)
    world.interceptors.platform = losingAnswers(isCall('POST', /\/stop$/))
    await watchUntil(1_199)
    world.interceptors.platform = losingAnswers(isCall('POST', /\/archive$/))
    await watchUntil(1_300)
    expect((await program()).map(({ part, status }) => `${part} ${status}`)).toEqual(['1 uploaded', '2 started'])
    expect((await noted()).filter((entry) => /paused|resumed/.test(entry))).toEqual([
      'recording.paused 1',
      'recording.resumed 2',
    ])
  })

  it('stops late what could not be stopped in time', async () => {
    await watchUntil(599)
    world.interceptors.platform = refusing(isCall('POST', /\/stop$/), 500)
    const failed = await watchUntil(601).catch((error: Error) => error.name)
    expect(failed).toBe('PlatformUnavailableError')
    world.interceptors.platform = (_request, pass) => pass()
    await watchUntil(620)
    expect(await program()).toMatchObject([{ status: 'uploaded', stoppedAt: expect.any(String) }])
  })
})
