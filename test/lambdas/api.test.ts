import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler } from '../../lambdas/api.ts'
import type { Manifest } from '../../lib/workflow/documents/manifest.ts'
import { keys } from '../../lib/workflow/keys.ts'
import { invoke, openWorld, START_TIME, type World, webinar } from '../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

interface Call {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string>
  readonly sub?: string
  readonly isBase64Encoded?: boolean
}

/** Calls the function as API Gateway does with payload format 2.0. */
async function call(route: string, { body, headers = {}, query, sub = 'app', isBase64Encoded = false }: Call = {}) {
  const [method = '', path = ''] = route.split(' ')
  const id = /^\/shows\/(.+)$/.exec(path)?.[1]
  const event = {
    version: '2.0',
    rawPath: path,
    headers,
    ...(query && { queryStringParameters: query }),
    ...(id && { pathParameters: { id: decodeURIComponent(id) } }),
    requestContext: { http: { method, path }, authorizer: { jwt: { claims: { sub }, scopes: null } } },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded,
  }
  const response = (await invoke(handler, world.services, event)) as {
    statusCode: number
    headers: Record<string, string>
    body: string
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by many tests, each for something else
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body) as any }
}

const post = (body: unknown = webinar, key?: string, sub = 'app') =>
  call('POST /shows', { body, sub, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
const executions = () =>
  world.states.listExecutions({ stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:show' })

describe('POST /shows', () => {
  it('records a show, starts its execution and answers 202', async () => {
    const { status, headers, body } = await post()
    expect(status).toBe(202)
    expect(headers).toEqual({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    expect(body).toEqual({ showId: expect.stringMatching(/^[0-9a-z-]{36}$/), status: 'starting' })
    expect(executions()).toMatchObject([{ name: body.showId, input: JSON.stringify({ showId: body.showId }) }])
    expect(await world.services.records.readRequest(body.showId)).toMatchObject({ acceptedAt: START_TIME })
  })

  it('starts a show of its own for every request without a key', async () => {
    expect((await post()).body.showId).not.toBe((await post()).body.showId)
    expect(executions()).toHaveLength(2)
  })

  it('starts one show for an Idempotency-Key, whenever it is repeated', async () => {
    const first = await post(webinar, 'key')
    await world.services.records.updateState(first.body.showId, (state) => ({ ...state, status: 'live' }))
    await world.clock.advance(3_600_000) // the execution of this world has ended by then
    expect(await post(webinar, 'key')).toMatchObject({ status: 202, body: { ...first.body, status: 'live' } })
    expect(executions()).toHaveLength(1)
  })

  it('takes the same show written differently for the same', async () => {
    const { version, ...rest } = webinar
    await post(webinar, 'key')
    expect((await post({ ...rest, audienceWait: 900, version }, 'key')).status).toBe(202)
  })

  it('refuses a key that was used for another show', async () => {
    await post(webinar, 'key')
    expect(await post({ ...webinar, duration: 21 }, 'key')).toMatchObject({
      status: 409,
      body: { detail: 'This Idempotency-Key was used for another show: take a new key for a new show.' },
    })
    expect(executions()).toHaveLength(1)
  })

  it('keeps the keys of different callers apart', async () => {
    const first = await post(webinar, 'key', 'one')
    const second = await post({ ...webinar, duration: 21 }, 'key', 'two')
    expect(second.status).toBe(202)
    expect(second.body.showId).not.toBe(first.body.showId)
  })

  it('starts the execution that an earlier request could not', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.endsWith('StartExecution') ? new Response(null, { status: 500 }) : pass()
    expect((await post(webinar, 'key')).status).toBe(500)
    world.interceptors.aws = (_request, pass) => pass()
    expect((await post(webinar, 'key')).status).toBe(202)
    expect(executions()).toHaveLength(1)
  })

  it('names every problem of a show by its path', async () => {
    const { status, headers, body } = await post({ ...webinar, duration: 0, broadcasts: [{ name: 'a b' }], colour: 1 })
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(body).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'broadcasts[0]',
      'broadcasts[0].name',
      'colour',
      'duration',
    ])
    expect(executions()).toEqual([])
  })

  it.each([
    ['no body', undefined, 'The request has no body: send a JSON document.'],
    ['no JSON', '{', 'The body is not JSON ('],
  ])('refuses %s', async (_what, body, detail) => {
    const answer = await call('POST /shows', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain(detail)
  })

  it('reads a body that API Gateway has encoded', async () => {
    const body = Buffer.from(JSON.stringify(webinar)).toString('base64')
    expect(await call('POST /shows', { body, isBase64Encoded: true })).toMatchObject({ status: 202 })
  })

  it.each(['', 'k'.repeat(256)])('refuses an Idempotency-Key of a wrong length', async (key) => {
    expect(await post(webinar, key)).toMatchObject({
      status: 400,
      body: { detail: 'Idempotency-Key must have 1 to 255 characters.' },
    })
  })
})

describe('GET /shows/{id}', () => {
  it('shows how far a show is, and its result once it has ended', async () => {
    await world.accept()
    expect(await call('GET /shows/a-show')).toMatchObject({
      status: 200,
      body: { showId: 'a-show', name: 'Launch webinar', status: 'starting', acceptedAt: START_TIME },
    })
    const result = {
      version: 1,
      showId: 'a-show',
      name: 'Launch webinar',
      status: 'failed',
      reason: 'It broke.',
    } as const
    const times = { acceptedAt: START_TIME, reportedAt: START_TIME }
    const nothing = { recordings: [], broadcasts: [], scenes: [], dialIns: [], automaticArchives: [], timeline: [] }
    await world.services.records.writeResult({ ...result, ...times, ...nothing, labels: {} })
    const ended = await call('GET /shows/a-show')
    expect(ended.body).toMatchObject({ status: 'failed', result: { reason: 'It broke.' } })
    expect(ended.body).not.toHaveProperty('version')
  })

  it.each(['/shows/none', '/shows/NO%20ID', `/shows/${'a'.repeat(65)}`, '/shows/..%2Fother'])(
    'answers 404 to %s',
    async (path) => {
      expect((await call(`GET ${path}`)).status).toBe(404)
    },
  )
})

describe('GET /shows', () => {
  it('lists shows newest first, page by page', async () => {
    for (const id of ['first', 'second', 'third']) {
      await world.accept(webinar, id)
      await world.clock.advance(1_000)
    }
    const page = await call('GET /shows', { query: { limit: '2' } })
    expect(page.body.items).toMatchObject([{ showId: 'third', status: 'starting' }, { showId: 'second' }])
    const next = await call('GET /shows', { query: { limit: '2', cursor: page.body.cursor } })
    expect(next.body.items).toMatchObject([{ showId: 'first' }])
    expect(next.body).not.toHaveProperty('cursor')
  })

  it('is empty before the first show', async () => {
    expect(await call('GET /shows')).toMatchObject({ status: 200, body: { items: [] } })
  })

  it.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 100.'],
    [{ limit: '101' }, 'limit must be a whole number from 1 to 100.'],
    [{ limit: 'many' }, 'limit must be a whole number from 1 to 100.'],
    [{ limit: '' }, 'limit must be a whole number from 1 to 100.'],
    [{ cursor: '../../result' }, 'cursor is not one that a list has given.'],
    [{ cursor: '' }, 'cursor is not one that a list has given.'],
  ])('refuses %j', async (query, detail) => {
    expect(await call('GET /shows', { query })).toMatchObject({ status: 400, body: { detail } })
    expect(await call('GET /recordings', { query })).toMatchObject({ status: 400, body: { detail } })
  })
})

describe('GET /recordings', () => {
  const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
  const manifest: Manifest = {
    version: 1,
    archiveId,
    createdAt: START_TIME,
    status: 'complete',
    access: 'signed',
    source: { key: keys.archive('1', archiveId), size: 1, sha256: null },
    duration: 1,
    video: null,
    audio: null,
    files: [{ role: 'poster', key: keys.poster(archiveId), size: 1, sha256: null }],
  }

  it('lists manifests with links that work for an hour', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    const { body } = await call('GET /recordings')
    expect(body.items).toMatchObject([manifest])
    for (const { url } of [body.items[0].source, ...body.items[0].files]) {
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600')
    }
  })

  it('leaves out what is listed and not there', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    await world.services.storage.put(keys.recordingIndex(1, 'lost'), '', 'text/plain')
    expect((await call('GET /recordings')).body.items).toHaveLength(1)
  })
})

describe('the API', () => {
  it('answers 404 to what is no route', async () => {
    expect(await call('DELETE /shows')).toMatchObject({ status: 404, body: { title: 'Not Found' } })
    expect((await call('GET /elsewhere')).status).toBe(404)
  })

  it('tells nothing of an internal error but the request to look up, and logs it', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = async () =>
      new Response('<Error><Message>internal detail</Message></Error>', { status: 500 })
    const { status, body } = await call('GET /shows')
    expect(status).toBe(500)
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'Showrunner failed; ask its operator to look up request request-1 in the log.',
    })
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ name: 'StorageError' }))
  })
})
