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
const redrive = (key?: string, showId = 'a-show') =>
  call(world, `POST /shows/${showId}/execution/redrive`, { ...(key !== undefined && { key }) })
const abort = (name: string) =>
  world.states.stopExecution({ executionArn: `arn:aws:states:us-east-1:000000000000:execution:show:${name}` })
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

describe('POST /shows/{id}/execution/redrive', () => {
  it('resumes an interrupted execution with its history', async () => {
    await start('a-show')
    await world.clock.advance(1_000)
    expect((await read()).body).toMatchObject({ status: 'running', redrivable: false })
    abort('a-show')
    expect((await read()).body).toMatchObject({ status: 'aborted', redrivable: true })
    expect(await redrive()).toMatchObject({ status: 202, body: { showId: 'a-show', executionName: 'a-show' } })
    await world.clock.advance(1_000)
    const { body } = await read()
    expect(body).toMatchObject({ status: 'running', redrivable: false, startedAt: '2026-11-20T09:00:00.000Z' })
    expect(body.states).toMatchObject([{ type: 'Wait', status: 'running' }])
    expect((await redrive()).body).toMatchObject({ code: 'not-redrivable', detail: 'The execution a-show is running.' })
  })

  it('is done once for one Idempotency-Key', async () => {
    await start('a-show')
    abort('a-show')
    expect(await redrive('key')).toEqual(await redrive('key'))
    expect((await redrive('another')).body.code).toBe('not-redrivable')
  })

  it('resumes the execution that closes the show, once there is one', async () => {
    await start('a-show')
    await start('a-show-close-1')
    abort('a-show')
    abort('a-show-close-1')
    await world.services.records.updateState('a-show', (state) => ({ ...state, closings: 1 }))
    expect((await read()).body.redrivable).toBe(false)
    expect((await read({ name: 'a-show-close-1' })).body.redrivable).toBe(true)
    expect((await redrive()).body.executionName).toBe('a-show-close-1')
  })

  it('refuses one that has succeeded, or is of a show that is over, or does not exist', async () => {
    expect((await redrive()).body.code).toBe('unknown-execution')
    expect((await redrive(undefined, 'none')).body.code).toBe('unknown-show')
    await start('a-show')
    await world.clock.advance(3_600_000)
    expect((await redrive()).body).toMatchObject({
      code: 'not-redrivable',
      detail: expect.stringContaining('SUCCEEDED'),
    })
    await world.services.records.updateState('a-show', (state) => ({ ...state, status: 'failed' }))
    expect((await redrive()).body.detail).toMatch(/^The show a-show is over\. /)
  })
})
