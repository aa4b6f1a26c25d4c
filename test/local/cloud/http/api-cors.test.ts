import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createHttpApi } from '../../../../local/cloud/http/http-api.ts'
import { authorizer, issuer, NOW } from './open-api.ts'

const ORIGIN = 'https://app.example.com'
const cors = {
  AllowOrigins: [ORIGIN],
  AllowMethods: ['GET', 'POST'],
  AllowHeaders: ['authorization'],
  ExposeHeaders: ['etag', 'retry-after'],
  MaxAge: 600,
}
const foreign = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true', etag: '"1"' }

function open(of: typeof cors | undefined = cors) {
  const invoke = async () => ({ statusCode: 200, headers: foreign, body: '{}' })
  const throttle = { rate: 1, burst: 1 }
  const api = createHttpApi({
    routes: [
      { key: 'GET /shows', invoke },
      { key: 'GET /private', authorizer, invoke },
      { key: 'GET /rare', throttle, invoke },
      { key: 'GET /broken', invoke: async () => Promise.reject(new Error('no')) },
    ],
    cors: of,
    clock: createSteppedClock(NOW),
    newId: () => 'id-1',
    fetch: async (input, init) => issuer.fetch(new Request(input, init)),
  })
  return (path: string, init: RequestInit & { origin?: string } = {}) => {
    const { origin = ORIGIN, headers, ...rest } = init
    return api(new Request(`http://127.0.0.1:3000${path}`, { ...rest, headers: { ...headers, origin } }))
  }
}
const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }

describe('the HTTP API with CORS', () => {
  it.each(['/shows', '/private', '/nowhere'])('answers the preflight request to %s without a token', async (path) => {
    const response = await open()(path, preflight)
    expect([response.status, response.headers.get('vary')]).toEqual([204, 'origin'])
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '600',
    })
  })

  it.each([
    ['/shows', 200],
    ['/private', 401],
    ['/nowhere', 404],
    ['/broken', 500],
  ])('lets a page read the answer to %s, which is %i', async (path, status) => {
    const response = await open()(path)
    expect([response.status, response.headers.get('vary')]).toEqual([status, 'origin'])
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'etag,retry-after',
    })
  })

  it('lets a page read that there were too many requests', async () => {
    const send = open()
    await send('/rare')
    const response = await send('/rare')
    expect([response.status, corsOf(response)['access-control-allow-origin']]).toEqual([429, ORIGIN])
  })

  it('allows no other origin, and ignores what a function allows', async () => {
    const send = open()
    for (const init of [preflight, {}]) {
      const response = await send('/shows', { ...init, origin: 'https://evil.example.com' })
      expect([corsOf(response), response.headers.get('vary')]).toEqual([{}, 'origin'])
    }
    expect((await send('/shows')).headers.get('etag')).toBe('"1"')
  })

  it('is off by default', async () => {
    const api = createHttpApi({ routes: [], clock: createSteppedClock(NOW), newId: () => 'id', fetch })
    const response = await api(
      new Request('http://127.0.0.1:3000/shows', { ...preflight, headers: { origin: ORIGIN } }),
    )
    expect([response.status, corsOf(response)]).toEqual([404, {}])
  })
})
