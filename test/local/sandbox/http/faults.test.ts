import { describe, expect, it } from 'vitest'
import type { SteppedClock } from '../../../../lib/clock.ts'
import { errorBody } from '../../../../lib/platform/contract/errors.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import type { FaultOrder } from '../../../../local/sandbox/http/faults.ts'
import { createMemoryBucket, uploadTarget } from '../archives/memory-bucket.ts'
import { openSandbox, type WorldOptions } from '../open-sandbox.ts'

const MINUTE = 60_000

async function openSession(options: WorldOptions = {}) {
  const world = openSandbox(options)
  const sessionId = await world.createSession()
  await world.join(sessionId)
  const start = (args = {}) => world.call('startArchive', { sessionId, ...args })
  const archives = async () => (await world.call('listArchives')).body
  return { ...world, sessionId, start, archives }
}

/** Resolves once the clock has a timer that is due then and none before it. */
async function isDue(clock: SteppedClock, time: number): Promise<void> {
  while (clock.nextDue() !== time) await new Promise((resolve) => setImmediate(resolve))
}

const code = (error: unknown) => ((error as TypeError).cause as { code?: string } | undefined)?.code

describe('createFaults', () => {
  it.each([
    ['refuse', 'ECONNREFUSED', 0],
    ['dropBefore', 'ECONNRESET', 0],
    ['dropAfter', 'ECONNRESET', 1],
  ] as const)('%s ends the call without an answer, as fetch does with the code %s', async (type, expected, made) => {
    const { sandbox, start, archives, log } = await openSession()
    sandbox.faults.order({ operation: 'startArchive', fault: { type } })
    const error = await start().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TypeError)
    expect(code(error)).toBe(expected)
    expect(log.at(-1)).toMatchObject({ operation: 'startArchive', status: 0, fault: type })
    expect((await archives()).count).toBe(made)
    expect((await start({ multiArchiveTag: 'second' })).status).toBe(200)
  })

  it('applies as often as ordered, the oldest fault first, and to no other operation', async () => {
    const { sandbox, start, archives, call, sessionId } = await openSession()
    sandbox.faults.order({ operation: 'startArchive', times: 2, fault: { type: 'status', status: 503 } })
    sandbox.faults.order({ operation: 'startArchive', fault: { type: 'status', status: 429 } })
    expect((await call('listStreams', { sessionId })).status).toBe(200)
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await start()).status)
    expect(statuses).toEqual([503, 503, 429, 200])
    expect((await archives()).count).toBe(1)
    expect(sandbox.faults.list()).toEqual([])
  })

  it('answers a status in the platform’s form', async () => {
    const { sandbox, call } = await openSession()
    sandbox.faults.order({ operation: 'getProject', fault: { type: 'status', status: 500 } })
    const { status, body } = await call('getProject')
    expect([status, errorBody.parse(body).code]).toEqual([500, 500])
  })

  it('applies before anything is checked, including the token', async () => {
    const { sandbox, send } = await openSession()
    sandbox.faults.order({ operation: 'listProjects', fault: { type: 'status', status: 502 } })
    expect((await send('GET', '/v2/project', { headers: { [AUTH_HEADER]: '' } })).status).toBe(502)
  })

  it.each([
    ['startArchive', 200],
    ['deleteUploadTarget', 200],
    ['getArchive', 400],
  ] as const)('malforms the answer of %s, whose effect is there', async (operation, status) => {
    const { sandbox, sign, apiKey, sessionId, archives, call } = await openSession()
    await call('setUploadTarget', uploadTarget())
    sandbox.faults.order({ operation, fault: { type: 'malformed' } })
    const [method = '', path = '', body = null] = {
      startArchive: ['POST', 'archive', JSON.stringify({ sessionId })],
      deleteUploadTarget: ['DELETE', 'archive/storage'],
      getArchive: ['GET', 'archive/none'],
    }[operation]
    const headers = { [AUTH_HEADER]: await sign() }
    const request = new Request(`http://localhost/v2/project/${apiKey}/${path}`, { method, headers, body })
    const response = await sandbox.fetch(request)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json'])
    await expect(response.json()).rejects.toThrow()
    if (operation === 'startArchive') expect((await archives()).count).toBe(1)
    if (operation === 'deleteUploadTarget') expect((await call(operation)).status).toBe(404)
  })

  it('delays a call by the clock, before it has an effect', async () => {
    const { sandbox, clock, start, archives, log } = await openSession()
    sandbox.faults.order({ operation: 'startArchive', fault: { type: 'delay', ms: 5_000 } })
    const answer = start()
    await isDue(clock, clock.now() + 5_000)
    await clock.advance(4_999)
    expect((await archives()).count).toBe(0)
    await clock.advance(1)
    expect((await answer).body).toMatchObject({ status: 'started', createdAt: clock.now() })
    expect(log.findLast(({ operation }) => operation === 'startArchive')).toMatchObject({ ms: 5_000, fault: 'delay' })
  })

  it('ends delayed calls when the sandbox closes', async () => {
    const { sandbox, clock, start } = await openSession()
    sandbox.faults.order({ operation: 'startArchive', fault: { type: 'delay', ms: MINUTE } })
    const answer = start()
    await isDue(clock, clock.now() + MINUTE)
    await sandbox.close()
    expect((await answer).status).toBe(500)
    expect(clock.nextDue()).toBeUndefined()
  })

  it.each([
    ['opentok', 'available'],
    ['none', 'failed'],
  ] as const)('fails the next upload permanently, with the fallback %s', async (fallback, status) => {
    const bucket = createMemoryBucket()
    const { sandbox, call, clock, start } = await openSession({ uploadHandler: bucket.handler })
    await call('setUploadTarget', uploadTarget(fallback))
    sandbox.faults.order({ operation: 'stopArchive', fault: { type: 'failUpload' } })
    const [first, second] = [await start({ multiArchiveTag: '1' }), await start({ multiArchiveTag: '2' })]
    const outcomes = []
    for (const { body } of [first, second]) {
      await call('stopArchive', { archiveId: body.id })
      await clock.advance(0)
      outcomes.push((await call('getArchive', { archiveId: body.id })).body.status)
    }
    expect(outcomes).toEqual([status, 'uploaded'])
    expect(bucket.objects.size).toBe(1)
  })

  it('delays the next upload while the archive stays stopped', async () => {
    const bucket = createMemoryBucket()
    const { sandbox, call, clock, start } = await openSession({ uploadHandler: bucket.handler })
    await call('setUploadTarget', uploadTarget())
    sandbox.faults.order({ operation: 'startArchive', fault: { type: 'slowUpload', ms: 10 * MINUTE } })
    const archiveId = (await start()).body.id
    await call('stopArchive', { archiveId })
    const status = async () => (await call('getArchive', { archiveId })).body.status
    await clock.advance(10 * MINUTE - 1)
    expect([await status(), bucket.requests.length]).toEqual(['stopped', 0])
    await clock.advance(1)
    expect(await status()).toBe('uploaded')
  })

  it('makes a list lag behind the starts, with its count and pages', async () => {
    const { sandbox, clock, start, call } = await openSession()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      ids.unshift((await start({ multiArchiveTag: `${count}` })).body.id)
      await clock.advance(1_000)
    }
    sandbox.faults.order({ operation: 'listArchives', times: 2, fault: { type: 'listLag', ms: 2_000 } })
    const list = async (query = {}) => {
      const { count, items } = (await call('listArchives', query)).body
      return { count, ids: items.map(({ id }: { id: string }) => id) }
    }
    expect(await list()).toEqual({ count: 4, ids: ids.slice(1) }) // the last but one was started exactly 2 s ago
    expect(await list({ offset: '1', count: '1' })).toEqual({ count: 4, ids: ids.slice(2, 3) })
    expect(await list()).toEqual({ count: 5, ids })
  })

  it('makes lists of broadcasts and composers lag as well', async () => {
    const { sandbox, call, sessionId, apiKey, sign, clock } = await openSession()
    await call('startBroadcast', { sessionId, outputs: { hls: {} } })
    const claims = { session_id: sessionId, role: 'publisher', nonce: 'n', scope: 'session.connect' }
    const token = await sign({ ...claims, initial_layout_class_list: '', exp: clock.now() / 1000 + 3_600 })
    await call('startComposer', { sessionId, token, url: 'https://example.com/scene' })
    for (const operation of ['listBroadcasts', 'listComposers'] as const) {
      sandbox.faults.order({ operation, fault: { type: 'listLag', ms: 1_000 } })
      expect((await call(operation, { apiKey })).body).toEqual({ count: 0, items: [] })
      expect((await call(operation, { apiKey })).body.count).toBe(1)
    }
  })
})

describe('createFaultRoutes', () => {
  const order = (world: ReturnType<typeof openSandbox>, body: unknown) =>
    world.send('POST', '/sandbox/faults', { body: JSON.stringify(body) })

  it('orders, lists and clears faults', async () => {
    const world = openSandbox()
    const fault = { type: 'delay', ms: 100 }
    const { status, body } = await order(world, { operation: 'getArchive', times: 3, fault })
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String) } })
    const items = [{ id: body.id, operation: 'getArchive', times: 3, fault }]
    expect(await world.send('GET', '/sandbox/faults')).toEqual({ status: 200, body: { count: 1, items } })
    expect(await world.send('DELETE', '/sandbox/faults')).toEqual({ status: 204, body: '' })
    expect((await world.send('GET', '/sandbox/faults')).body).toEqual({ count: 0, items: [] })
  })

  const lost: FaultOrder['fault'] = { type: 'dropAfter' }
  it.each([
    [{ fault: lost }, /^operation: /],
    [{ operation: 'recordEverything', fault: lost }, /^operation: /],
    [{ operation: 'getArchive' }, /^fault is required\.$/],
    [{ operation: 'getArchive', fault: { type: 'rain' } }, /^fault\.type: /],
    [{ operation: 'getArchive', times: 0, fault: lost }, /^times: /],
    [{ operation: 'getArchive', fault: { type: 'delay' } }, /^fault\.ms is required\.$/],
    [{ operation: 'getArchive', fault: { type: 'delay', ms: -1 } }, /^fault\.ms: /],
    [{ operation: 'getArchive', fault: { type: 'status', status: 200 } }, /^fault\.status: /],
    [{ operation: 'getArchive', fault: { ...lost, ms: 5 } }, /^fault: .*"ms"/],
    [
      { operation: 'listStreams', fault: { type: 'listLag', ms: 5 } },
      /^operation must be one of listArchives, listBroadcasts, listComposers for listLag\.$/,
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await order(openSandbox(), body)
    expect(answer).toEqual({ status: 400, body: { code: 400, message: expect.stringMatching(message) } })
  })

  it.each([
    ['POST', '/sandbox/faults'],
    ['GET', '/sandbox/faults'],
    ['DELETE', '/sandbox/faults'],
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock'],
    ['PUT', '/sandbox/projects/100001/callbacks'],
    ['GET', '/sandbox/projects/100001/callbacks'],
  ])('answers %s %s to this machine alone', async (method, path) => {
    const { send } = openSandbox()
    expect((await send(method, path, { headers: { host: 'example.com' } })).status).toBe(403)
    expect((await send(method, path, { headers: { origin: 'https://example.com' } })).status).toBe(403)
  })
})
