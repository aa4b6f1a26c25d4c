import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { call } from '../call.ts'

let world: World
beforeEach(async () => {
  world = openWorld()
  await world.accept()
})
afterEach(() => world.close())

const read = (query?: Record<string, string>, showId = 'a-show') =>
  call(world, `GET /shows/${showId}/execution`, { ...(query && { query }) })
const start = (name: string) => world.services.showExecutions.start(name, { showId: 'a-show' })

describe('GET /shows/{id}/execution', () => {
  it('reads the execution of the show while it runs', async () => {
    await start('a-show')
    await world.clock.advance(1_000)
    expect(await read()).toMatchObject({
      status: 200,
      body: {
        ...{ showId: 'a-show', machine: 'show', name: 'a-show', status: 'running', closings: [] },
        states: [{ type: 'Wait', status: 'running', input: '{"showId":"a-show"}', attempts: [] }],
      },
    })
  })

  it('reads an execution that closed the show', async () => {
    await start('a-show-close-1')
    expect((await read({ name: 'a-show-close-1' })).status).toBe(404)
    await world.services.records.updateState('a-show', (state) => ({ ...state, closings: 1 }))
    const { body } = await read({ name: 'a-show-close-1' })
    expect(body).toMatchObject({ name: 'a-show-close-1', closings: ['a-show-close-1'] })
  })

  it('refuses executions of other shows, and those that do not exist', async () => {
    expect(await read()).toMatchObject({ status: 404, body: { code: 'unknown-execution' } })
    await start('another')
    expect((await read({ name: 'another' })).status).toBe(404)
    expect((await read({ machine: 'watch', name: 'another' })).status).toBe(404)
    expect((await read({ machine: 'publish' })).body.problems).toMatchObject([{ path: 'machine' }])
    expect((await read({}, 'none')).body.code).toBe('unknown-show')
  })
})
