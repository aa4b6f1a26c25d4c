import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import { type AccessFacts, toLogLine, unknownVariables } from '../../../../local/cloud/http/access-log.ts'
import { createHttpApi } from '../../../../local/cloud/http/http-api.ts'
import { createIssuer, type Issuer } from '../../../../local/cloud/http/issuer.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const ISSUER = 'http://issuer.invalid'
const authorizer = { issuer: ISSUER, audience: ['showrunner'] }

let issuer: Issuer
let stranger: Issuer

beforeAll(async () => {
  issuer = await createIssuer(() => ISSUER)
  stranger = await createIssuer(() => ISSUER)
})

/** An API whose function answers with `result`, and the events that it got. */
function openApi(result: unknown = { statusCode: 200 }, clock: SteppedClock = createSteppedClock(NOW)) {
  const events: APIGatewayProxyEventV2WithJWTAuthorizer[] = []
  const invoke = async (event: unknown) => {
    events.push(event as APIGatewayProxyEventV2WithJWTAuthorizer)
    return typeof result === 'function' ? result() : result
  }
  const accesses: AccessFacts[] = []
  const api = createHttpApi({
    onAccess: (facts) => void accesses.push(facts),
    routes: [
      { key: 'GET /rare', throttle: { rate: 1, burst: 1 }, invoke },
      { key: 'GET /shows/{id}', invoke },
      { key: 'POST /shows', invoke },
      { key: 'GET /shows/latest', invoke },
      { key: 'GET /shows/{id}/parts/{part}', invoke },
      { key: 'GET /private', authorizer, invoke },
      { key: 'GET /scoped', authorizer, scopes: ['shows.read', 'shows.write'], invoke },
    ],
    clock,
    newId: () => 'id-1',
    fetch: async (input, init) => issuer.fetch(new Request(input, init)),
  })
  const send = (path: string, init?: RequestInit) => api(new Request(`http://127.0.0.1:3000${path}`, init))
  const enter = (token: string, path = '/private') => send(path, { headers: { authorization: token } })
  return { events, accesses, send, enter }
}

const seconds = (time: number) => Math.floor(time / 1000)
const token = (claims: JWTPayload = {}, by = issuer) =>
  by.sign({ sub: 'ann', ...claims }, { audience: 'showrunner', seconds: 60, now: NOW })
const published = async () => {
  const { keys } = (await (await issuer.fetch(new Request(`${ISSUER}/.well-known/jwks.json`))).json()) as {
    keys: [object]
  }
  return keys[0]
}

describe('the access log', () => {
  const FORMAT =
    '{"route":"$context.routeKey","who":"$context.authorizer.claims.sub","why":"$context.authorizer.error","as":"$context.status","by":"$context.integration.requestId"}'

  it('has a line for every request, also for those that no function gets to see', async () => {
    const { accesses, send, enter } = openApi()
    await enter(`Bearer ${await token()}`)
    await enter(`Bearer ${await token({}, stranger)}`)
    await enter(`Bearer ${await token({ scope: 'shows.list' })}`, '/scoped')
    await send('/nowhere')
    await send('/rare')
    await send('/rare')
    expect(accesses.map((facts) => JSON.parse(toLogLine(FORMAT, facts)))).toEqual([
      { route: 'GET /private', who: 'ann', why: '-', as: '200', by: 'id-1' },
      { route: 'GET /private', who: '-', why: 'Unauthorized', as: '401', by: '-' },
      { route: 'GET /scoped', who: 'ann', why: 'insufficient_scope', as: '403', by: '-' },
      { route: '-', who: '-', why: '-', as: '404', by: '-' },
      { route: 'GET /rare', who: '-', why: '-', as: '200', by: 'id-1' },
      { route: 'GET /rare', who: '-', why: '-', as: '429', by: '-' },
    ])
  })

  it('has no query, and stays JSON with any claims', async () => {
    const { accesses, enter } = openApi()
    await enter(`Bearer ${await token({ sub: 'a"\n' })}`, '/private?signature=secret')
    const [line = ''] = accesses.map((facts) =>
      toLogLine('{"path":"$context.path","who":"$context.authorizer.claims.sub"}', facts),
    )
    expect(JSON.parse(line)).toEqual({ path: '/private', who: 'a"\n' })
  })

  it('lists unknown variables', () => {
    expect(unknownVariables(`${FORMAT} $context.identity.userAgent`)).toEqual(['$context.identity.userAgent'])
  })
})

describe('createHttpApi', () => {
  it('hands over a request in payload format 2.0, field by field', async () => {
    const { events, send } = openApi()
    await send('/shows?limit=2&tag=a&tag=b%20c', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'test', Cookie: 'a=1; b=2', 'X-One': 'I' },
      body: '{"name":"Ä"}',
    })
    expect(events).toEqual([
      {
        version: '2.0',
        routeKey: 'POST /shows',
        rawPath: '/shows',
        rawQueryString: 'limit=2&tag=a&tag=b%20c',
        cookies: ['a=1', 'b=2'],
        headers: {
          'content-type': 'application/json',
          'user-agent': 'test',
          'x-forwarded-proto': 'http',
          'x-one': 'I',
        },
        queryStringParameters: { limit: '2', tag: 'a,b c' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'laptop',
          domainName: '127.0.0.1:3000',
          domainPrefix: '127',
          http: { method: 'POST', path: '/shows', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
          requestId: 'id-1',
          routeKey: 'POST /shows',
          stage: '$default',
          time: '01/Jan/2026:00:00:00 +0000',
          timeEpoch: NOW,
        },
        body: '{"name":"Ä"}',
        isBase64Encoded: false,
      },
    ])
  })

  it('hands over bodies that are no text in base64', async () => {
    const { events, send } = openApi()
    await send('/shows', { method: 'POST', body: Buffer.from([0xff, 0]), headers: { 'content-type': 'image/png' } })
    await send('/shows', { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
    expect(events).toMatchObject([
      { body: '/wA=', isBase64Encoded: true },
      { body: 'YT1i', isBase64Encoded: true },
    ])
  })

  it('decodes the path and its parameters, and prefers the most specific route', async () => {
    const { events, send } = openApi()
    await send('/shows/a%2Fb%20%C3%84/parts/1')
    await send('/shows/latest')
    expect(events).toMatchObject([
      {
        routeKey: 'GET /shows/{id}/parts/{part}',
        rawPath: '/shows/a/b Ä/parts/1',
        pathParameters: { id: 'a/b Ä', part: '1' },
      },
      { routeKey: 'GET /shows/latest' },
    ])
    expect(events[1]).not.toHaveProperty('pathParameters')
    expect(events[1]).not.toHaveProperty('body')
    expect(events[1]).not.toHaveProperty('queryStringParameters')
  })

  it.each([
    ['another path', 'GET', '/other', 404, 'Not Found'],
    ['another method', 'DELETE', '/shows', 404, 'Not Found'],
    ['a slash too many', 'GET', '/shows/1/', 404, 'Not Found'],
    ['an empty parameter', 'GET', '/shows/', 404, 'Not Found'],
    ['a path that cannot be decoded', 'GET', '/shows/%ff', 400, 'Bad Request'],
    ['a path that ends in the middle', 'GET', '/shows/%2', 400, 'Bad Request'],
  ])('answers %s itself', async (_what, method, path, status, message) => {
    const { events, send } = openApi()
    const answer = await send(path, { method })
    expect([answer.status, await answer.json()]).toEqual([status, { message }])
    expect(events).toEqual([])
  })

  it('refuses a body of more than 10 MB, whether or not its length is announced', async () => {
    const { events, send } = openApi()
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(2 ** 20)) })
    expect((await send('/shows', { method: 'POST', body: endless, duplex: 'half' } as RequestInit)).status).toBe(413)
    const headers = { 'content-length': String(10 * 2 ** 20 + 1) }
    expect((await send('/shows', { method: 'POST', body: 'x', headers })).status).toBe(413)
    expect(events).toEqual([])
  })

  it('answers as the function says', async () => {
    const headers = { 'Content-Type': 'application/problem+json', 'X-Count': 1 }
    const answer = await openApi({ statusCode: 409, headers, cookies: ['a=1', 'b=2'], body: '{}' }).send('/shows/1')
    expect([answer.status, await answer.text()]).toEqual([409, '{}'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/problem+json',
      'x-count': '1',
    })
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    const bytes = await openApi({ statusCode: 200, body: '/wA=', isBase64Encoded: true }).send('/shows/1')
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(Buffer.from([0xff, 0]))
    expect((await openApi({ statusCode: 204, body: '' }).send('/shows/1')).status).toBe(204)
  })

  it('takes what has no status for a body of JSON', async () => {
    const answer = await openApi({ shows: [] }).send('/shows/1')
    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      200,
      'application/json',
      { shows: [] },
    ])
    expect(await (await openApi(null).send('/shows/1')).json()).toBe(null)
  })

  it.each([
    ['fails', () => Promise.reject(new Error('the password is x'))],
    ['answers with a status there is not', { statusCode: 99 }],
  ])('says nothing of a function that %s', async (_what, result) => {
    const answer = await openApi(result).send('/shows/1')
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'Internal Server Error' }])
  })

  it('waits 30 seconds for a function, and leaves no timer behind', async () => {
    const clock = createSteppedClock(NOW)
    const waiting = openApi(() => new Promise(() => {}), clock).send('/shows/1')
    await clock.advance(30_000)
    const answer = await waiting
    expect([answer.status, await answer.json()]).toEqual([503, { message: 'Service Unavailable' }])
    await openApi({}, clock).send('/shows/1')
    expect(clock.nextDue()).toBeUndefined()
  })

  it.each(['ANY /a', '$default', 'GET /{proxy+}', 'GET /a b'])('refuses the route %s', (key) => {
    const options = {
      clock: createSteppedClock(NOW),
      newId: () => '',
      fetch,
      routes: [{ key, invoke: async () => null }],
    }
    expect(() => createHttpApi(options)).toThrow(`The route ${key} is not supported locally.`)
  })
})

describe('createJwtAuthorizer', () => {
  it('lets in who has a token of the issuer, and hands its claims over as text', async () => {
    const { events, enter } = openApi()
    expect((await enter(`Bearer ${await token({ roles: ['a', 'b'], plan: { seats: 2 }, admin: true })}`)).status).toBe(
      200,
    )
    expect((await enter(await token())).status).toBe(200) // the word before it may be left out
    expect(events[0]?.requestContext.authorizer).toEqual({
      jwt: {
        claims: {
          sub: 'ann',
          roles: '[a b]',
          plan: 'map[seats:2]',
          admin: 'true',
          iss: ISSUER,
          aud: 'showrunner',
          iat: String(seconds(NOW)),
          exp: String(seconds(NOW) + 60),
        },
        scopes: null,
      },
    })
  })

  it.each<[string, JWTPayload, string[] | undefined]>([
    ['one of them', { scope: 'openid shows.read' }, ['shows.read']],
    ['all of them', { scope: 'shows.write shows.read' }, ['shows.read', 'shows.write']],
    ['one in a list', { scp: ['shows.write'] }, ['shows.write']],
    ['one in a text of the other name', { scp: 'shows.write' }, ['shows.write']],
    ['others', { scope: 'openid shows.rea' }, undefined],
    ['none', {}, undefined],
  ])('asks for one of a route’s scopes: of a token with %s', async (_what, claims, granted) => {
    const { events, enter } = openApi()
    const answer = await enter(await token(claims), '/scoped')
    expect(events.map(({ requestContext }) => requestContext.authorizer.jwt.scopes)).toEqual(granted ? [granted] : [])
    if (granted) return expect(answer.status).toBe(200)
    expect([answer.status, await answer.json()]).toEqual([403, { message: 'Forbidden' }])
    expect(answer.headers.get('www-authenticate')).toContain('scope="shows.read shows.write"')
    expect((await enter('Bearer x', '/scoped')).status).toBe(401)
  })

  /** Returns the status for a token of an issuer that signs any claims. */
  async function lenientIssuer(alg: 'RS256' | 'ES256') {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const documents = [{ jwks_uri: `${ISSUER}/jwks.json` }, { keys: [await exportJWK(publicKey)] }]
    const api = createHttpApi({
      routes: [{ key: 'GET /private', authorizer, invoke: async () => ({}) }],
      clock: createSteppedClock(NOW),
      newId: () => 'id',
      fetch: async (input) => Response.json(documents[String(input).endsWith('jwks.json') ? 1 : 0]),
    })
    return async (claims: Record<string, unknown>) => {
      const whole = { iss: ISSUER, exp: seconds(NOW) + 60, ...claims }
      const signed = await new SignJWT(whole).setProtectedHeader({ alg }).sign(privateKey)
      return (await api(new Request('http://a/private', { headers: { authorization: signed } }))).status
    }
  }

  it('takes the client for the audience of a token that names none', async () => {
    const statusOf = await lenientIssuer('RS256')
    expect(await statusOf({ client_id: 'showrunner' })).toBe(200)
    expect(await statusOf({ client_id: 'other' })).toBe(401)
    expect(await statusOf({ client_id: 'showrunner', aud: 'other' })).toBe(401)
    expect(await statusOf({ aud: ['other', 'showrunner'] })).toBe(200)
  })

  it('refuses tokens that are not valid yet, or without an expiry', async () => {
    const statusOf = await lenientIssuer('RS256')
    expect(await statusOf({ aud: 'showrunner', exp: undefined })).toBe(401)
    expect(await statusOf({ aud: 'showrunner', iat: seconds(NOW) + 60 })).toBe(401)
    expect(await statusOf({ aud: 'showrunner', nbf: seconds(NOW) + 60 })).toBe(401)
  })

  it('takes keys of RSA only, as API Gateway does', async () => {
    expect(await (await lenientIssuer('ES256'))({ aud: 'showrunner' })).toBe(401)
  })

  it.each<[string, () => Promise<string> | string]>([
    ['nothing', () => ''],
    ['no token', () => 'Bearer'],
    ['a text that is not a token', () => 'Bearer abc'],
    [
      'a token of another audience',
      async () => issuer.sign({ sub: 'a' }, { audience: 'other', seconds: 60, now: NOW }),
    ],
    [
      'an expired token',
      async () => issuer.sign({ sub: 'a' }, { audience: 'showrunner', seconds: 60, now: NOW - 61_000 }),
    ],
    ['a token that another has signed', () => token({}, stranger)],
    [
      'a token of another issuer',
      async () =>
        (await createIssuer(() => 'http://other.invalid')).sign(
          { sub: 'a' },
          { audience: 'showrunner', seconds: 60, now: NOW },
        ),
    ],
    [
      'an unsigned token',
      () => new UnsecuredJWT({ sub: 'a', iss: ISSUER, aud: 'showrunner', exp: seconds(NOW) + 60 }).encode(),
    ],
    [
      'a token signed with the public key as a secret',
      async () => {
        const key = (await importJWK({ ...(await published()), ext: true }, 'RS256')) as Parameters<
          typeof exportSPKI
        >[0]
        const secret = new TextEncoder().encode(await exportSPKI(key))
        const claims = { sub: 'a', iss: ISSUER, aud: 'showrunner', exp: seconds(NOW) + 60 }
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'laptop' }).sign(secret)
      },
    ],
    [
      'a token with one letter changed',
      async () => {
        const [head, body = '', signature] = (await token()).split('.')
        const other = Buffer.from(Buffer.from(body, 'base64url').toString().replace('ann', 'bob')).toString('base64url')
        return [head, other, signature].join('.')
      },
    ],
  ])('refuses %s', async (_what, make) => {
    const { events, enter, send } = openApi()
    const header = await make()
    const answer = header ? await enter(header) : await send('/private')
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthorized' }])
    expect(events).toEqual([])
  })

  it('asks the issuer again after it could not be reached', async () => {
    let isUp = false
    const api = createHttpApi({
      routes: [{ key: 'GET /private', authorizer, invoke: async () => ({}) }],
      clock: createSteppedClock(NOW),
      newId: () => 'id',
      fetch: async (input, init) => (isUp ? issuer.fetch(new Request(input, init)) : Promise.reject(new Error('down'))),
    })
    const request = async () => new Request('http://a/private', { headers: { authorization: await token() } })
    expect((await api(await request())).status).toBe(401)
    isUp = true
    expect((await api(await request())).status).toBe(200)
  })
})

describe('createIssuer', () => {
  it('publishes where its keys are, and never the private one', async () => {
    const ask = (path: string, method = 'GET') => issuer.fetch(new Request(`${ISSUER}${path}`, { method }))
    expect(await (await ask('/.well-known/openid-configuration')).json()).toEqual({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    })
    expect(Object.keys(await published()).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect((await ask('/constructor')).status).toBe(404)
    expect((await ask('/.well-known/jwks.json', 'POST')).status).toBe(404)
  })
})
