import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { toLogLine, unknownVariables } from '../../../../local/cloud/http/access-log.ts'
import { createHttpApi } from '../../../../local/cloud/http/http-api.ts'
import { NOW, openApi, stranger, token } from './open-api.ts'

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
  it('has a default route, which takes what no other route matches', async () => {
    const seen: string[] = []
    const invoke = async (event: unknown) => void seen.push((event as { routeKey: string }).routeKey)
    const routes = ['$default', 'GET /shows/{id}'].map((key) => ({ key, invoke }))
    const api = createHttpApi({ routes, clock: createSteppedClock(NOW), newId: () => 'id-1', fetch })
    for (const [method, path] of [
      ['GET', '/shows/1'],
      ['DELETE', '/shows/1'],
      ['GET', '/'],
    ] as const)
      await api(new Request(`http://127.0.0.1:3000${path}`, { method }))
    expect(seen).toEqual(['GET /shows/{id}', '$default', '$default'])
  })

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

  it.each(['ANY /a', 'GET /{proxy+}', 'GET /a b'])('refuses the route %s', (key) => {
    const options = {
      clock: createSteppedClock(NOW),
      newId: () => '',
      fetch,
      routes: [{ key, invoke: async () => null }],
    }
    expect(() => createHttpApi(options)).toThrow(`The route ${key} is not supported locally.`)
  })
})
