import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { measureTask } from '../../../../lambdas/middleware/measures.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { withShortPages } from '../../../../local/simulation/environment/short-pages.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, openShow, run, settled } from '../../run.ts'

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:show'
let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const nothing = { started: [], settled: [], overdue: [], failed: [], reported: [], purged: [], unpurged: [] }
const sweep = () => run(world, 'sweepShows', {})
const state = (showId = 'a-show') => world.services.shows.state(showId)
const result = (showId = 'a-show') => world.services.records.readResult(showId)
const executions = () =>
  world.states.listExecutions({ stateMachineArn: MACHINE }).map(({ name, input }) => ({ name, input }))
const minutes = (count: number) => world.clock.advance(count * 60_000)
const isListed = async (showId = 'a-show') =>
  (await Array.fromAsync(world.services.records.eachUnfinished())).includes(showId)
/** The world's show machine only waits for an hour; here it is the show's own execution, which does nothing else. */
const execute = (name = 'a-show') => world.services.showExecutions.start(name, { showId: name })
const begin = (showId = 'a-show') =>
  world.services.shows.update(showId, (latest) => ({ ...latest, startedAt: world.now() }))
const abort = (name = 'a-show') => {
  const executionArn = `${MACHINE.replace('stateMachine', 'execution')}:${name}`
  return world.states.fetch(
    new Request('http://localhost', {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSStepFunctions.StopExecution' },
      body: JSON.stringify({ executionArn }),
    }),
  )
}
const running = async (sessionId: string) => {
  const archives = (await world.platform.call('listArchives', { sessionId })).body.items as { status: string }[]
  const broadcasts = (await world.platform.call('listBroadcasts', { sessionId })).body.items as unknown[]
  return archives.filter(({ status }) => status === 'started').length + broadcasts.length
}

describe('sweepShows, of a show that never began', () => {
  it('starts it once it was accepted two minutes ago', async () => {
    await world.accept()
    expect(await sweep()).toEqual({ ...nothing, checked: 1 })
    await minutes(2)
    expect(await sweep()).toEqual({ ...nothing, checked: 1, started: ['a-show'] })
    expect(executions()).toEqual([{ name: 'a-show', input: '{"showId":"a-show"}' }])
    expect((await sweep()).started).toEqual([])
  })

  it('makes up for a state that was never written', async () => {
    await world.accept()
    await world.services.storage.delete(keys.state('a-show'))
    await minutes(2)
    expect((await sweep()).started).toEqual(['a-show'])
    expect(await state()).toMatchObject({ status: 'starting' })
  })

  it('leaves a show that is just being accepted', async () => {
    await world.services.storage.put(keys.unfinished('coming'), '', 'text/plain')
    expect(await sweep()).toEqual({ ...nothing, checked: 1 })
    expect(await isListed('coming')).toBe(true)
  })
})

describe('sweepShows, of a show whose execution was interrupted', () => {
  beforeEach(async () => {
    await world.accept()
    await begin()
    await execute()
  })
  const closings = () => executions().filter(({ name }) => name !== 'a-show')

  it('leaves it as long as it runs', async () => {
    await minutes(30)
    expect(await sweep()).toEqual({ ...nothing, checked: 1 })
  })

  it('reports a show as overdue half an hour after the wait for its files', async () => {
    const plannedEndAt = new Date(world.clock.now() - 3_600_000).toISOString() // it waits an hour for files
    await world.services.shows.update('a-show', (latest) => ({ ...latest, plannedEndAt }))
    await minutes(30)
    expect((await sweep()).overdue).toEqual([])
    await minutes(1)
    expect(await sweep()).toEqual({ ...nothing, checked: 1, overdue: ['a-show'] })
  })

  it('starts one closing execution, and counts it', async () => {
    await abort()
    expect((await sweep()).started).toEqual(['a-show'])
    expect((await sweep()).started).toEqual([])
    expect(closings()).toEqual([{ name: 'a-show-close-1', input: '{"showId":"a-show","closing":true}' }])
    expect(await state()).toMatchObject({ closings: 1, timeline: [{ what: 'show.closing', id: '1' }] })
  })

  it('closes one whose execution is not known any more', async () => {
    await world.accept(webinar, 'unknown')
    await begin('unknown')
    expect((await sweep()).started).toEqual(['unknown'])
  })

  it('finds an execution with another name', async () => {
    const executionName = 'Of_another.name'
    await run(world, 'acceptShow', { executionName, startedAt: world.now(), request: { show: webinar } })
    await execute(executionName)
    expect((await sweep()).started).toEqual([])
  })

  it('starts what it has counted and could not start', async () => {
    await abort()
    world.interceptors.aws = (request, pass) =>
      request.headers.get('x-amz-target')?.endsWith('StartExecution')
        ? Promise.resolve(new Response(null, { status: 500 }))
        : pass()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await sweep()).started).toEqual([])
    world.interceptors.aws = (_request, pass) => pass()
    expect((await sweep()).started).toEqual(['a-show'])
    expect((await state()).closings).toBe(1)
  })

  it('retries with growing pauses, and finally writes the result itself, so that the owner is notified', async () => {
    await abort()
    const waited: number[] = []
    for (let closing = 1, since = 0; closing <= 5; since += 5) {
      if ((await sweep()).started.length > 0) {
        waited.push(since)
        since = 0
        await abort(`a-show-close-${closing++}`)
      }
      await minutes(5)
    }
    expect(waited).toEqual([0, 5, 15, 30, 60])
    expect(await result()).toBeUndefined()
    const swept = await sweep()
    expect(swept.reported).toEqual([{ showId: 'a-show', status: 'failed' }])
    const counted = await measureTask('sweepShows', { ...swept, reported: [await result()] }, world.services)
    expect(counted).toMatchObject({ showsFailed: 1, recordingsLost: webinar.recordings.length })
    expect(await result()).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^Its execution was interrupted, and 5 others could not close it\./),
      endedAt: expect.any(String),
    })
    expect((await state()).status).toBe('failed')
    expect(world.ownerEvents.map((event) => event['detail-type'])).toContain('show.ended')
    await minutes(16)
    expect((await sweep()).settled).toEqual(['a-show'])
  })
})

describe('sweepShows, of a show that was reported', () => {
  const end = async (sessionId: string | null, showId = 'a-show') => {
    await run(world, 'stopShow', { showId, sessionId, reason: 'It ended.', failure: null })
    await settled(world)
    await run(world, 'reportShow', { showId, sessionId, reason: 'It ended.', failure: null })
  }

  it('settles it once its longest task must be over', async () => {
    const { sessionId } = await bringLive(world)
    await begin()
    await execute()
    await end(sessionId)
    expect((await sweep()).settled).toEqual([]) // its execution still runs
    await abort()
    await minutes(15)
    expect((await sweep()).settled).toEqual([])
    await minutes(1)
    expect((await sweep()).settled).toEqual(['a-show'])
    expect(await sweep()).toEqual({ ...nothing, checked: 0 })
  })

  it('counts a report again whose execution was interrupted before the metrics, and no other', async () => {
    const { sessionId } = await bringLive(world)
    await begin()
    await execute()
    await end(sessionId)
    await abort()
    await world.accept(webinar, 'confirmed')
    await begin('confirmed')
    await execute('confirmed')
    await end(null, 'confirmed')
    await minutes(90) // the machine of this world ends after an hour
    const swept = await sweep()
    expect(swept.settled.toSorted()).toEqual(['a-show', 'confirmed'])
    expect(swept.reported).toEqual([{ showId: 'a-show', status: 'succeeded' }])
  })

  it('stops what was left running or started late, and only then settles the show', async () => {
    const { sessionId } = await bringLive(world)
    await end(sessionId)
    await minutes(20)
    await world.platform.join(sessionId)
    await world.platform.call('startArchive', { sessionId, multiArchiveTag: 'a-show/program/2' })
    await world.platform.call('startBroadcast', { sessionId, multiBroadcastTag: 'a-show/live/2', outputs: { hls: {} } })
    await world.platform.call('startArchive', { sessionId, multiArchiveTag: 'somebody else’s' })
    expect((await sweep()).settled).toEqual([])
    expect(await running(sessionId)).toBe(1)
    expect((await sweep()).settled).toEqual(['a-show'])
  })

  it('does not settle it while the platform cannot be asked, until that has ended everything itself', async () => {
    const { sessionId } = await bringLive(world)
    await end(sessionId)
    world.interceptors.platform = refusing(isCall('GET', /\/archive$/), 403)
    await minutes(60)
    expect((await sweep()).settled).toEqual([])
    await minutes(12 * 60)
    expect((await sweep()).settled).toEqual(['a-show'])
  })

  it('sends the owner event of an interrupted report', async () => {
    const { sessionId } = await bringLive(world)
    await end(sessionId)
    const before = world.ownerEvents.length
    await world.services.records.updateState('a-show', (latest) => ({
      ...latest,
      status: 'ending',
      timeline: latest.timeline.filter(({ what }) => what !== 'show.ended'),
    }))
    await sweep()
    expect(world.ownerEvents.slice(before).map(({ detail }) => detail)).toMatchObject([
      { id: 'a-show/show.ended///', status: 'succeeded' },
    ])
    expect((await state()).status).toBe('succeeded')
  })

  it('makes no platform calls for a show without a session', async () => {
    await world.accept()
    await end(null)
    await minutes(16)
    world.calls.length = 0
    expect((await sweep()).settled).toEqual(['a-show'])
    expect(world.calls).toEqual([])
  })
})

describe('sweepShows', () => {
  it('continues with the next show when one fails, and names it', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await world.accept(webinar, 'broken')
    await world.services.storage.put(keys.state('broken'), '{}', 'application/json')
    await world.accept(webinar, 'whole')
    await minutes(2)
    expect(await sweep()).toEqual({ ...nothing, checked: 2, started: ['whole'], failed: ['broken'] })
    const lines = log.mock.calls.map(([line]) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'ERROR',
        message: 'not swept',
        task: 'sweepShows',
        showId: 'broken',
        error: expect.objectContaining({ name: 'StorageError' }),
      }),
    )
    expect(lines).toContainEqual(expect.objectContaining({ ShowsOverdue: 0, SweepsFailed: 1 }))
  })

  it('reads every page of the list', async () => {
    for (let index = 0; index < 5; index++)
      await world.services.storage.put(keys.unfinished(`coming-${index}`), '', 'text/plain')
    let lists = 0
    world.interceptors.aws = (request, pass) => {
      if (request.url.includes('list-type')) lists++
      return withShortPages(pass, 2)(request)
    }
    expect((await sweep()).checked).toBe(5)
    expect(lists).toBeGreaterThanOrEqual(3)
  })

  it('does not trust the event of an execution’s end', async () => {
    await openShow(world)
    await begin()
    await execute()
    expect(await run(world, 'sweepShows', { detail: { name: 'a-show', status: 'ABORTED' } })).toMatchObject({
      started: [],
    })
  })
})
