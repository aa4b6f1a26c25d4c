import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, run } from '../../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
beforeEach(async () => {
  world = openWorld()
  show = await bringLive(world, { ...webinar, duration: 30_000 }, 'long')
})
afterEach(() => world.close())

const look = () => run(world, 'watchShow', { showId: 'long', sessionId: show.sessionId })
const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

/** Seconds. */
const DAY = 86_400

describe('watchShow, in a long show', () => {
  it('polls exactly when the next parts are due, and starts them together', async () => {
    await world.clock.advance(14_240_000)
    const { nextPollAt } = await look()
    expect(nextPollAt).toBe(inSeconds(40)) // two minutes before the four hours are over
    await world.clock.advance(40_000)
    const { due, nextPollAt: after } = await look()
    expect(due).toEqual({
      recordings: {
        start: [
          { name: 'program', part: 2 },
          { name: 'speakers', part: 2 },
        ],
        stop: [],
      },
      broadcasts: { start: [], stop: [] },
    })
    expect(after).toBe(inSeconds(5))
  })

  it('has the parts before end once they have overlapped, and exactly then', async () => {
    await world.clock.advance(14_280_000)
    const { due } = await look()
    if (!due) throw new Error('Nothing is due.')
    await run(world, 'rollOver', { showId: 'long', sessionId: show.sessionId, due })
    await world.clock.advance(5_000)
    expect(await look()).toMatchObject({ due: null, nextPollAt: inSeconds(7) })
    await world.clock.advance(7_000)
    expect((await look()).due?.recordings.stop).toEqual([
      { name: 'program', part: 1 },
      { name: 'speakers', part: 1 },
    ])
  })

  it('makes as many calls when each recording has many parts', async () => {
    const times = { createdAt: world.now(), status: 'uploaded' as const }
    const old = Array.from({ length: 40 }, (_, index) => ({
      name: 'old',
      part: index + 1,
      tag: `long/old/${index + 1}`,
      archiveId: `${index}`,
      ...times,
    }))
    await world.services.shows.update('long', (latest) => ({ ...latest, recordings: [...old, ...latest.recordings] }))
    world.calls.length = 0
    await look()
    expect(world.calls.sort()).toEqual(['GET /archive', 'GET /broadcast'])
  })

  it('has a stranded part rescued once in six hours when the platform has kept it for a day and a half', async () => {
    const strand = (createdAt: string, rescueAt?: string) =>
      world.services.shows.update('long', (latest) => ({
        ...latest,
        recordings: [
          { name: 'program', part: 0, tag: 'long/program/0', archiveId: 'kept', createdAt, status: 'available' },
          ...latest.recordings.filter(({ archiveId }) => archiveId !== 'kept'),
        ].map((one) => ({ ...one, ...(one.archiveId === 'kept' && rescueAt && { rescueAt }) }) as never),
      }))
    await strand(inSeconds(-DAY))
    expect((await look()).stranded).toEqual([])
    await strand(inSeconds(-1.5 * DAY))
    expect((await look()).stranded).toEqual([{ name: 'program', part: 0, archiveId: 'kept' }])
    expect((await look()).stranded).toEqual([])
    await strand(inSeconds(-1.5 * DAY), inSeconds(-6 * 3_600))
    expect((await look()).stranded).toHaveLength(1)
  })
})
