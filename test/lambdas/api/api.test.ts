import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problemUri } from '../../../lib/api/problem-names.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringWaiting, call } from './call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

describe('the API', () => {
  it('answers 404 to an unknown path, and 405 to another method with those that are allowed', async () => {
    const elsewhere = { status: 404, body: { title: 'Unknown route', type: problemUri('unknown-route') } }
    expect(await call(world, 'GET /elsewhere')).toMatchObject(elsewhere)
    expect(await call(world, 'DELETE /shows')).toMatchObject({
      status: 405,
      headers: { allow: 'POST, GET' },
      body: { type: problemUri('method-not-allowed') },
    })
    expect((await call(world, 'POST /shows/a-show')).headers.allow).toBe('GET, PUT, PATCH, DELETE')
    expect((await call(world, 'POST /watch/an-archive')).headers.allow).toBe('GET')
  })

  it('answers nothing else to a request that API Gateway has not matched with a route, and so has not authorized', async () => {
    const unmatched = { routeKey: '$default' }
    expect((await call(world, 'GET /shows', unmatched)).status).toBe(405)
    expect((await call(world, 'GET /.well-known/jwks.json', unmatched)).status).toBe(405)
  })

  it('answers 415 to a body of another type, and takes a JSON type or none', async () => {
    const post = (type?: string) =>
      call(world, 'POST /shows', { body: webinar, ...(type !== undefined && { headers: { 'content-type': type } }) })
    expect(await post('text/plain')).toMatchObject({
      status: 415,
      headers: { accept: 'application/json' },
      body: { detail: 'The Content-Type is text/plain. Send the body as application/json.' },
    })
    const { body, headers } = await post('application/json; charset=utf-8')
    expect(headers).toMatchObject({ location: `/shows/${body.showId}`, 'retry-after': '2' })
    expect((await post('application/vnd.api+json')).status).toBe(202)
    expect((await post()).status).toBe(202)
    const captions = { body: 'WEBVTT\n', headers: { 'content-type': 'application/json' } }
    expect((await call(world, 'PUT /recordings/none/captions/en', captions)).status).toBe(415)
    const form = { body: '{"role":"publisher"}', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await call(world, `POST /shows/${body.showId}/tokens`, form)).status).toBe(415)
  })

  it('answers 304 to a caller who has the version already', async () => {
    await world.accept()
    const read = (path: string, etag?: string) =>
      call(world, `GET ${path}`, etag === undefined ? {} : { headers: { 'if-none-match': etag } })
    const first = await read('/shows/a-show')
    const { etag = '' } = first.headers
    expect(await read('/shows/a-show', `"other", W/${etag}`)).toMatchObject({ status: 304, headers: { etag } })
    expect((await read('/shows', (await read('/shows')).headers.etag)).status).toBe(304)
    await bringWaiting(world)
    expect(await read('/shows/a-show', etag)).toMatchObject({ status: 200, body: { status: 'waiting' } })
    expect((await read('/shows/none')).headers).not.toHaveProperty('etag')
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
      code: 'internal-error',
      detail: 'Showrunner failed. Ask its operator to search the log for the request request-1.',
    })
    expect(log.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      { level: 'ERROR', message: 'failed', task: 'api', requestId: 'request-1', error: { name: 'StorageError' } },
    ])
  })
})
