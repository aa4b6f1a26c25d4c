import { describe, expect, it } from 'vitest'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { uploadTarget } from '../archives/memory-bucket.ts'
import { openSandbox } from '../open-sandbox.ts'

const json = { 'content-type': 'application/json' }

describe('createRouter', () => {
  it.each(['/v2/project/{key}/archive/', '/v2/partner/{key}/archive', '/v2/partner/{key}/archive//'])(
    'serves %s as /v2/project/{key}/archive',
    async (path) => {
      const { send, apiKey } = openSandbox()
      expect(await send('GET', path.replace('{key}', apiKey))).toEqual({ status: 200, body: { count: 0, items: [] } })
    },
  )

  it.each([
    ['GET', '/'],
    ['DELETE', '/v2/project/1/archive'],
    ['GET', '/v3/project/1/archive'],
    ['GET', '/broadcasts'],
    ['GET', '/%E0%A4%A'],
  ])('answers 404 to %s %s', async (method, path) => {
    const { send } = openSandbox()
    expect(await send(method, path)).toMatchObject({ status: 404, body: { code: 404, message: expect.any(String) } })
  })

  it('serves /call as /dial', async () => {
    const { send, log, apiKey } = openSandbox()
    expect(await send('POST', `/v2/partner/${apiKey}/call/`)).toMatchObject({ status: 400 })
    expect(log.at(-1)).toMatchObject({ operation: 'dial' })
  })

  it('does not treat the upload target as an archive', async () => {
    const { send, log, apiKey } = openSandbox()
    await send('DELETE', `/v2/project/${apiKey}/archive/storage`)
    await send('DELETE', `/v2/project/${apiKey}/archive/storages`)
    expect(log.map(({ operation }) => operation)).toEqual(['deleteUploadTarget', 'deleteArchive'])
  })

  it('answers an invalid body with the status and code of the operation', async () => {
    const { call, createSession } = openSandbox()
    const sessionId = await createSession()
    expect(await call('signalSession', { sessionId, data: 'd'.repeat(8_193) })).toEqual({
      status: 413,
      body: { code: 413, message: 'data must not be longer than 8192 bytes.' },
    })
    const composer = { sessionId, token: 'token', url: 'https://example.com/', maxDuration: 59 }
    expect(await call('startComposer', composer)).toEqual({
      status: 400,
      body: { code: 50005, message: 'Invalid maxDuration provided.' },
    })
  })

  it('accepts an empty JSON body for an operation without a body', async () => {
    const { send, call, join, createSession, apiKey } = openSandbox()
    const sessionId = await createSession()
    await join(sessionId)
    const { body } = await call('startArchive', { sessionId })
    const stop = `/v2/project/${apiKey}/archive/${body.id}/stop`
    expect(await send('POST', stop, { headers: json, body: '{' })).toMatchObject({ status: 400 })
    expect(await send('POST', stop, { headers: json, body: '' })).toMatchObject({ status: 200 })
    expect(await call('stopArchive', { archiveId: body.id })).toMatchObject({ status: 409 })
  })

  it('reads no body for an operation that cannot refuse one', async () => {
    const { send, sign, apiKey, accountKey, accountSecret } = openSandbox()
    const token = await sign({ iss: accountKey, ist: 'account' }, accountSecret)
    const headers = { [AUTH_HEADER]: token }
    const refresh = await send('POST', `/v2/project/${apiKey}/refreshSecret`, { headers, body: '{' })
    expect(refresh).toMatchObject({ status: 200 })
  })

  it.each([
    ['', 'sessionId is required.'],
    ['{', 'The body is not valid JSON.'],
    ['[]', 'the body: expected object, received array.'],
    ['{"sessionId":7}', 'sessionId: expected string, received number.'],
    ['{"sessionId":"s","hasAudio":false,"hasVideo":false}', 'hasAudio and hasVideo must not both be false.'],
    ['{"sessionId":"s","resolution":"1x1"}', expect.stringMatching(/^resolution: .*"640x480"/)],
    ['{"sessionId":"s","layout":{"type":"custom"}}', 'layout.stylesheet is required with type custom.'],
    [`{"sessionId":"s","name":"${'n'.repeat(256)}"}`, expect.stringMatching(/^name: .*255/)],
  ])('refuses to start an archive with the body %s', async (body, message) => {
    const { send, apiKey } = openSandbox()
    const answer = await send('POST', `/v2/project/${apiKey}/archive`, { headers: json, body })
    expect(answer).toEqual({ status: 400, body: { code: 400, message } })
  })

  it('refuses a body that is nested too deeply to be sent back', async () => {
    const { send, apiKey } = openSandbox()
    const body = (levels: number) =>
      JSON.stringify(uploadTarget()).replace('{', `{"note":${'['.repeat(levels)}${']'.repeat(levels)},`)
    const put = (levels: number) =>
      send('PUT', `/v2/project/${apiKey}/archive/storage`, { headers: json, body: body(levels) })
    expect(await put(63)).toMatchObject({ status: 200 })
    const message = 'The body is nested more than 64 levels deep.'
    for (const levels of [64, 100_000]) expect(await put(levels)).toEqual({ status: 400, body: { code: 400, message } })
  })

  it('refuses a body over 1 MB', async () => {
    const { send, apiKey } = openSandbox()
    const body = JSON.stringify({ sessionId: 'x'.repeat(1024 * 1024) })
    expect(await send('POST', `/v2/project/${apiKey}/archive`, { headers: json, body })).toMatchObject({
      status: 413,
      body: { code: 413 },
    })
  })

  it('ignores fields that it does not know', async () => {
    const { send, join, createSession, apiKey } = openSandbox()
    const sessionId = await createSession()
    await join(sessionId)
    const body = JSON.stringify({ sessionId, hasTranscription: false, max: { bitrate: 1 } })
    expect(await send('POST', `/v2/project/${apiKey}/archive`, { headers: json, body })).toMatchObject({ status: 200 })
  })

  it('accepts null for optional fields, as existing SDKs send it', async () => {
    const { call, join, createSession } = openSandbox()
    const sessionId = await createSession()
    const { token } = await join(sessionId)
    const layout = { type: 'bestFit', stylesheet: null }
    const archive = { sessionId, name: null, resolution: null, multiArchiveTag: null, maxBitrate: null, layout }
    expect(await call('startArchive', archive)).toMatchObject({ status: 200, body: { resolution: '640x480' } })
    const rtmp = [{ id: null, serverUrl: 'rtmp://live.example/app', streamName: 'show' }]
    expect(await call('startBroadcast', { sessionId, outputs: { hls: null, rtmp } })).toMatchObject({ status: 200 })
    expect(await call('signalSession', { sessionId, type: null, data: 'hello' })).toMatchObject({ status: 204 })
    const sip = { uri: 'sip:stage@example.com', auth: null, from: null, streams: null }
    expect(await call('dial', { sessionId, token, sip })).toMatchObject({ status: 200 })
    const composer = { sessionId, token, url: 'https://example.com/', resolution: null, properties: { name: null } }
    expect(await call('startComposer', composer)).toMatchObject({ status: 202 })
  })

  it('refuses null for required fields', async () => {
    const { call } = openSandbox()
    expect(await call('startArchive', { sessionId: null })).toEqual({
      status: 400,
      body: { code: 400, message: 'sessionId is required.' },
    })
  })

  it('answers JSON as exactly application/json and gives every answer an id', async () => {
    const { sandbox, sign, log } = openSandbox()
    const headers = { [AUTH_HEADER]: await sign(), accept: 'application/json' }
    const response = await sandbox.fetch(new Request('http://localhost/session/create', { method: 'POST', headers }))
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-request-id')).toBe(log[0]?.requestId)
  })

  it('gives an id to an answer that a fault has replaced and to a refusal', async () => {
    const { sandbox, sign, log, apiKey } = openSandbox()
    sandbox.faults.order({ operation: 'listArchives', fault: { type: 'malformed' } })
    const headers = { [AUTH_HEADER]: await sign() }
    for (const path of ['archive', 'archive/none']) {
      const response = await sandbox.fetch(new Request(`http://localhost/v2/project/${apiKey}/${path}`, { headers }))
      expect(response.headers.get('x-request-id')).toBe(log.at(-1)?.requestId)
    }
    expect(log.map(({ status }) => status)).toEqual([200, 400])
  })

  it('logs one line per request that names the operation and holds nothing secret', async () => {
    const { call, send, log, apiSecret } = openSandbox()
    await call('setUploadTarget', uploadTarget())
    await send('GET', '/nothing/here')
    expect(log).toEqual([
      { requestId: expect.any(String), method: 'PUT', operation: 'setUploadTarget', status: 200, ms: 0 },
      { requestId: expect.any(String), method: 'GET', operation: 'unknown', status: 404, ms: 0 },
    ])
    expect(JSON.stringify(log)).not.toContain(apiSecret)
    expect(JSON.stringify(log)).not.toContain('secret of the bucket')
  })

  it('answers an unexpected error with 500, and logs only its name', async () => {
    const { sandbox, call, log } = openSandbox()
    await sandbox.close()
    const { status, body } = await call('listArchives')
    expect({ status, body }).toEqual({ status: 500, body: { code: 500, message: 'The sandbox failed.' } })
    expect(log.at(-1)).toMatchObject({ status: 500, error: 'Error' })
  })
})
