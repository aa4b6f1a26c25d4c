import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskOutput } from '../../lib/workflow/tasks/tasks.ts'
import { openWorld, START_TIME, type World } from '../support/world.ts'
import { openShow, run } from './run.ts'

let world: World
beforeEach(async () => {
  world = openWorld()
  await openShow(world)
})
afterEach(() => world.close())

const started = (name: string, createdAt: string = START_TIME): TaskOutput<'startRecording'> => ({
  name,
  tag: `a-show/${name}/1`,
  archiveId: `archive of ${name}`,
  createdAt,
  status: 'started',
})
const failed = (name: string) => ({
  name,
  error: { Error: 'PlatformConflictError', Cause: '{"errorMessage":"The session is relayed."}' },
})
const live = { name: 'live', tag: 'a-show/live/1', broadcastId: 'b', createdAt: START_TIME, status: 'started' } as const
const state = async () => world.services.records.readState('a-show')

describe('goLive', () => {
  it('counts the planned end from the first that was created', async () => {
    const recordings = [started('program', '2026-11-20T09:00:03.500Z'), started('speakers', '2026-11-20T09:00:02.000Z')]
    const broadcasts = [{ ...live, createdAt: '2026-11-20T09:00:04.000Z' }]
    expect(await run(world, 'goLive', { showId: 'a-show', recordings, broadcasts, duration: 20 })).toEqual({
      live: true,
      plannedEndAt: '2026-11-20T09:00:22.000Z',
    })
    expect(await state()).toMatchObject({
      status: 'live',
      liveAt: '2026-11-20T09:00:02.000Z',
      plannedEndAt: '2026-11-20T09:00:22.000Z',
      recordings,
      broadcasts,
    })
  })

  it('notes what could not be started, in words, and goes on with the rest', async () => {
    const recordings = [failed('program'), started('speakers')]
    expect(
      await run(world, 'goLive', { showId: 'a-show', recordings, broadcasts: [live], duration: 20 }),
    ).toMatchObject({ live: true })
    const noted = await state()
    expect(noted?.recordings).toMatchObject([
      { name: 'program', tag: 'a-show/program/1', problem: 'The session is relayed.' },
      { name: 'speakers', archiveId: 'archive of speakers' },
    ])
    expect(noted?.timeline.slice(-3).map(({ what, name }) => [what, name])).toEqual([
      ['recording.failed', 'program'],
      ['recording.started', 'speakers'],
      ['broadcast.started', 'live'],
    ])
  })

  it('is not live when nothing could be started', async () => {
    const recordings = [failed('program'), failed('speakers')]
    const input = { showId: 'a-show', recordings, broadcasts: [failed('live')], duration: 20 }
    expect(await run(world, 'goLive', input)).toEqual({ live: false })
    expect(await state()).toMatchObject({ status: 'starting', broadcasts: [{ problem: 'The session is relayed.' }] })
    expect(await state()).not.toHaveProperty('liveAt')
  })

  it('changes nothing when it is repeated', async () => {
    const input = { showId: 'a-show', recordings: [started('program')], broadcasts: [], duration: 20 }
    const first = await run(world, 'goLive', input)
    const noted = await state()
    await world.clock.advance(5_000)
    expect(await run(world, 'goLive', input)).toEqual(first)
    expect(await state()).toEqual(noted)
  })
})
