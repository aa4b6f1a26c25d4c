import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problemUri } from '../../../lib/api/problem-types.ts'
import { openWorld, type World } from '../../support/world.ts'
import { call } from './call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

describe('the API', () => {
  it('answers 404 to an unknown route', async () => {
    expect(await call(world, 'DELETE /shows')).toMatchObject({ status: 404, body: { title: 'Unknown route' } })
    expect((await call(world, 'GET /elsewhere')).status).toBe(404)
  })

  it('answers an internal error with the id of the request only, and logs it', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    world.interceptors.aws = async () =>
      new Response('<Error><Message>internal detail</Message></Error>', { status: 500 })
    const { status, body } = await call(world, 'GET /shows')
    expect(status).toBe(500)
    expect(body).toEqual({
      type: problemUri('internal-error'),
      title: 'Internal error',
      status: 500,
      detail: 'Showrunner failed. Ask its operator to search the log for the request request-1.',
    })
    expect(log.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      { level: 'ERROR', message: 'failed', task: 'api', requestId: 'request-1', error: { name: 'StorageError' } },
    ])
  })
})
