import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prices } from '../../../../lib/show/plan/forecast/prices.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { call } from '../call.ts'
import { publishOf } from './published-show.ts'

let world: World
beforeEach(async () => {
  world = openWorld()
  await world.accept()
})
afterEach(() => world.close())

const read = (showId = 'a-show') => call(world, `GET /shows/${showId}/cost`)
const at = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

describe('GET /shows/{id}/cost', () => {
  it('counts nothing before the show starts, and has its estimate', async () => {
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      counted: { usd: 0, storage: { usd: 0 }, minutes: { recordings: 0, broadcasts: 0 } },
      estimated: { minutes: { recordings: 40 / 60, broadcasts: 20 / 60 } },
      missingExecutions: 0,
    })
    expect(body.uncounted).toContain('HTTP API')
    expect(body.uncounted).not.toContain('Step Functions')
  })

  it('counts the transitions of the execution, and names the executions that are gone', async () => {
    await world.services.showExecutions.start('a-show', { showId: 'a-show' })
    await world.services.records.updateState('a-show', (state) => ({ ...state, startedAt: at(0), closings: 1 }))
    await world.clock.advance(1_000)
    const { body } = await read()
    expect(body.counted.items[0]).toEqual({
      ...{ item: 'Step Functions', amount: '1 transitions', usd: prices.transition },
    })
    expect(body.missingExecutions).toBe(1)
  })

  it('counts a publish once that has two publications', async () => {
    await publishOf(world, 'an-archive')
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      recordings: state.recordings.map((one) => ({ ...one, archiveId: 'an-archive' })),
    }))
    expect((await read()).body.missingExecutions).toBe(1) // nothing has executed it
  })

  it('counts bytes and minutes by the records', async () => {
    await publishOf(world, 'an-archive')
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      recordings: state.recordings.map((one, index) =>
        index === 0 ? { ...one, archiveId: 'an-archive', createdAt: at(0) } : one,
      ),
      broadcasts: state.broadcasts.map((one) => ({ ...one, createdAt: at(0), stopAskedAt: at(30) })),
      endedAt: at(60),
    }))
    const { counted } = (await read()).body
    expect(counted.storage.usd).toBeCloseTo(prices.storedGigabyteMonth / 2 ** 30, 15)
    expect(counted.minutes).toEqual({ recordings: 20 / 60, broadcasts: 0.5 })
  })

  it('refuses a show that does not exist', async () => {
    expect(await read('none')).toMatchObject({ status: 404, body: { code: 'unknown-show' } })
  })
})
