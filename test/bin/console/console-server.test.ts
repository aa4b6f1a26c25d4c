import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConsoleLogin } from '../../../bin/console/console-login.ts'
import { createConsole, startConsole } from '../../../bin/console/console-server.ts'
import { mediaOriginsOf } from '../../../bin/console/media-origins.ts'
import type { GreenRoom } from '../../../bin/join/green-room.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'
import { createFaults } from '../../../local/sandbox/http/faults.ts'
import { createIds } from '../../../local/sandbox/state/ids.ts'

interface Seen {
  readonly line: string
  readonly headers: Headers
  readonly body: string
}

/** The cookie of a browser that has logged in. */
const COOKIE = 'showrunner-console-4180=let%20me%20in'
const MEDIA = 'http://127.0.0.1:7'
const JOIN = 'http://127.0.0.1:8/#come-in'
const SANDBOX = 'http://127.0.0.1:4'
const sandbox = { url: SANDBOX, faults: createFaults(createIds(randomBytes)), isLive: () => false }
const clock = { moveForward: async () => {} }
const greenRoom: GreenRoom = {
  participants: async (sessions) => sessions.map((sessionId) => ({ name: 'Ada', hasJoined: true, sessionId })),
}
const seen: Seen[] = []
const brought: string[] = []
let api: Listening
let now = 0
let page: (path: string, init?: RequestInit) => Promise<Response>

/** An API with one show, `abc`, behind a proxy that answers for its recordings: with the limit as the status. */
async function answer(asked: Request): Promise<Response> {
  const { pathname, search } = new URL(asked.url)
  seen.push({ line: `${asked.method} ${pathname}${search}`, headers: asked.headers, body: await asked.text() })
  if (pathname === '/shows/none') return Response.json({ detail: 'There is no show none.' }, { status: 404 })
  if (pathname === '/shows/denied') return Response.json({ message: 'Unauthorized' }, { status: 401 })
  if (pathname === '/shows/same')
    return new Response(null, { status: 304, headers: { etag: asked.headers.get('if-none-match') ?? '' } })
  if (pathname === '/recordings') return htmlOf(Number(new URL(asked.url).searchParams.get('limit')))
  return Response.json({ asked: pathname })
}

/** An answer of a proxy. */
const htmlOf = (status: number) =>
  new Response('<html>Bad gateway</html>', { status, headers: { 'content-type': 'text/html' } })

beforeAll(async () => {
  api = await listen(answer)
  const bring = (showId: string) => !brought.includes(showId) && brought.push(showId) > 0
  const participants = { attend: bring, close: async () => {} }
  const access = { apiUrl: api.url, token: 'secret' }
  const login = createConsoleLogin('let me in', () => now)
  const serve = createConsole({
    access,
    mediaOrigins: [MEDIA],
    login,
    local: { participants, joinUrl: JOIN, greenRoom, sandbox, clock },
  })
  page = (path, init = {}) => {
    const headers = { host: '127.0.0.1:4180', cookie: COOKIE, ...(init.headers as Record<string, string>) }
    return serve(new Request(`http://127.0.0.1:4180${path}`, { ...init, headers }))
  }
})
afterAll(() => api.close())
beforeEach(() => {
  seen.length = 0
  brought.length = 0
})

/** Returns the status and the sentence of a problem document. */
const problemOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { detail: string }).detail,
]

const post = (path: string, body: string, headers = {}) => page(path, { method: 'POST', body, headers })

describe('createConsole', () => {
  it('serves the page with headers that let only its own code run', async () => {
    const response = await page('/')
    const html = await response.text()
    expect(html).toContain('<title>Showrunner</title>')
    expect(html).toMatch(/<p id="loading"[^>]*role="status">Loading/) // visible until the first answer
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain(`default-src 'none'; script-src 'self';`)
    expect(policy).toContain(`media-src blob: ${MEDIA};`)
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('serves everything that the page requests', async () => {
    const text = async (path: string) => {
      const response = await page(path)
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    }
    const [html, script] = [await text('/'), await text('/console.js')]
    const linked = html.matchAll(/(?:href|src)="(\/[^"]+)"/g)
    const requested = script.matchAll(/import\("([^"]+)"\)|"(\/[a-z]+\.json)"/g)
    const paths = [...linked, ...requested].map(([, one, other]) => one ?? other ?? '').sort()
    expect(paths).toEqual(['/console.css', '/console.js', '/example.json', '/hls.js', '/icon.svg'])
    for (const path of paths) expect(await text(path)).not.toBe('')
    expect(await text('/example.json')).toContain('"version": 1')
  })

  it('serves styles for light and dark', async () => {
    const styles = await (await page('/console.css')).text()
    expect(styles).toMatch(/@media ?\(prefers-color-scheme: ?dark\)/)
    expect(styles).not.toContain('@import')
  })

  it.each([
    '/tsconfig.json',
    '/main.ts',
    '/console.html',
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/api/',
    '/api/other',
    '/api/shows/abc/other',
    '/api/public/recordings/abc',
    '/api/.well-known/jwks.json',
    '/api//shows',
  ])('answers 404 at %s', async (path) => {
    expect((await page(path)).status).toBe(404)
    expect(seen).toEqual([])
  })

  it('forwards the requests of the page with the token, and never returns it', async () => {
    const list = await page('/api/shows?limit=20')
    expect(await list.text()).toBe('{"asked":"/shows"}')
    expect([...list.headers.values()].join()).not.toContain('secret')
    await post('/api/shows', '{"version":1}', { 'idempotency-key': 'k', authorization: 'Bearer other' })
    expect(seen.map(({ line }) => line)).toEqual(['GET /shows?limit=20', 'POST /shows'])
    expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer secret', 'Bearer secret'])
    expect(seen[1]?.body).toBe('{"version":1}')
    expect(seen[1]?.headers.get('idempotency-key')).toBe('k')
    expect(seen[1]?.headers.get('cookie')).toBeNull()
  })

  it('returns the answers of the API', async () => {
    const response = await page('/api/shows/none')
    expect([response.status, await response.json()]).toEqual([404, { detail: 'There is no show none.' }])
    expect((await page('/api/shows/Not_an_id')).status).toBe(404)
    expect(seen).toHaveLength(1)
  })

  it('forwards filters, controls and their keys, and answers of which the page has the version', async () => {
    await page('/api/shows?limit=20&status=live&label=customer%3Dc-7')
    await page('/api/shows/abc', { method: 'PATCH', body: '{"layouts":[]}', headers: { 'idempotency-key': 'k' } })
    await post('/api/shows/abc/stop', '{}')
    await page('/api/shows/abc', { method: 'DELETE' })
    await page('/api/recordings/0b-1/captions/en', { method: 'PUT', body: 'WEBVTT' })
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /shows?limit=20&status=live&label=customer%3Dc-7',
      'PATCH /shows/abc',
      'POST /shows/abc/stop',
      'DELETE /shows/abc',
      'PUT /recordings/0b-1/captions/en',
    ])
    expect(seen[1]?.headers.get('idempotency-key')).toBe('k')
    const same = await page('/api/shows/same', { headers: { 'if-none-match': '"1"' } })
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, '"1"', ''])
  })

  it('answers 502 when the API refuses the token, which the page cannot change', async () => {
    const refusal = [502, expect.stringContaining('does not accept the token')]
    expect(await problemOf(await page('/api/shows/denied'))).toEqual(refusal)
  })

  it('answers the link to the join page and the participants, to its user only', async () => {
    const response = await page('/green-room?session=one&session=two')
    expect(await response.json()).toEqual({
      joinUrl: JOIN,
      participants: ['one', 'two'].map((sessionId) => ({ name: 'Ada', hasJoined: true, sessionId })),
    })
    expect((await page('/green-room', { headers: { cookie: '' } })).status).toBe(401)
  })

  it('answers 502 when the API does not answer', async () => {
    const gone = await listen(answer)
    await gone.close()
    const participants = { attend: () => true, close: async () => {} }
    const access = { apiUrl: gone.url, token: 'secret' }
    const local = { participants, joinUrl: JOIN, greenRoom, sandbox, clock }
    const serve = createConsole({ access, mediaOrigins: [], login: createConsoleLogin('t'), local })
    const headers = { host: '127.0.0.1', cookie: 'showrunner-console-80=t' }
    const response = await serve(new Request('http://127.0.0.1/api/shows', { headers }))
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('does not answer')])
  })

  it('answers 502 when a proxy answers for the API', async () => {
    expect(await problemOf(await page('/api/recordings?limit=502'))).toEqual([502, 'The API answered 502.'])
    const foreign = [502, expect.stringContaining('is not the API of Showrunner')]
    expect(await problemOf(await page('/api/recordings?limit=200'))).toEqual(foreign)
  })

  it('refuses a request over the size limit', async () => {
    expect((await post('/api/shows', ' '.repeat(2 ** 22 + 1))).status).toBe(413)
    expect(seen).toEqual([])
  })

  it.each([
    ['another name for this machine', { host: 'showrunner.example' }],
    ['a page from elsewhere', { origin: 'https://example.com' }],
    ['a page on another port', { origin: 'http://127.0.0.1:5000' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site that embeds it', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['another port that embeds it', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  ])('refuses %s', async (_, headers) => {
    expect((await page('/api/shows', { headers: headers as unknown as Record<string, string> })).status).toBe(403)
    expect((await post('/participants', '{"showId":"abc"}', headers)).status).toBe(403)
    expect([seen, brought]).toEqual([[], []])
  })

  it('answers a visit by a link, and requests of the console’s page', async () => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await page('/', { headers: visit })).status).toBe(200)
    expect((await page('/api/shows', { headers: visit })).status).toBe(403)
    expect(
      (await page('/api/shows', { headers: { origin: 'http://127.0.0.1:4180', 'sec-fetch-site': 'same-origin' } }))
        .status,
    ).toBe(200)
  })

  it('admits participants to an existing show once', async () => {
    expect((await post('/participants', '{"showId":"abc"}')).status).toBe(202)
    expect((await post('/participants', '{"showId":"abc"}')).status).toBe(409)
    expect((await post('/participants', '{"showId":"none"}')).status).toBe(404)
    expect((await post('/participants', '{"showId":"../abc"}')).status).toBe(400)
    expect((await post('/participants', 'abc')).status).toBe(400)
    expect(brought).toEqual(['abc'])
  })
})

describe('createConsoleLogin', () => {
  const out = { cookie: '' }

  it.each(['/', '/console.js', '/console.css', '/api/shows', '/example.json', '/none'])(
    'refuses %s without the cookie',
    async (path) => {
      const sentence = 'Open the whole address that the terminal printed. Its token logs you in.'
      for (const cookie of ['', 'showrunner-console-4180=wrong', COOKIE.replace('4180', '4181')]) {
        const response = await page(path, { headers: { cookie } })
        expect([response.status, await response.text()]).toEqual([401, expect.stringContaining(sentence)])
      }
      expect((await post('/participants', '{"showId":"abc"}', out)).status).toBe(401)
      expect((await post('/api/shows', '{}', out)).status).toBe(401)
      expect([seen, brought]).toEqual([[], []])
    },
  )

  it('logs in at the whole address, with a cookie that no script and no other site can use', async () => {
    const address = createConsoleLogin('let me in').addressOf('')
    const visit = await page(encodeURI(address), { headers: out })
    expect([visit.status, visit.headers.get('set-cookie')]).toEqual([
      200,
      `${COOKIE}; Path=/; HttpOnly; SameSite=Strict`,
    ])
    expect(await visit.text()).toContain('http-equiv="refresh" content="0;url=/"')
    expect(visit.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await page('/?token=wrong', { headers: out })).status).toBe(401)
    expect((await post('/?token=let%20me%20in', '', out)).status).toBe(401)
    expect((await page('/api/shows?token=let%20me%20in', { headers: out })).status).toBe(401)
  })

  it('logs in once by a ticket, within a minute, and issues tickets after a log-in only', async () => {
    const ticket = async () => {
      const { address } = (await (await post('/tickets', '')).json()) as { address: string }
      return address.replace('http://127.0.0.1:4180', '')
    }
    const visit = async (path: string) => (await page(path, { headers: out })).status
    const [first, late] = [await ticket(), await ticket()]
    expect(first).toMatch(/^\/\?ticket=[\w-]{43}$/)
    now += 59_999
    expect([await visit(first), await visit(first)]).toEqual([200, 401])
    now += 1
    expect(await visit(late)).toBe(401)
    expect((await post('/tickets', '', out)).status).toBe(401)
  })

  it('creates a new token each time', () => {
    const tokens = [1, 2].map(() => new URL(createConsoleLogin().addressOf('http://h')).searchParams.get('token') ?? '')
    expect(tokens[0]).toMatch(/^[\w-]{43}$/)
    expect(tokens[0]).not.toBe(tokens[1])
  })
})

describe('createConsole for a deployment', () => {
  const access = { apiUrl: 'https://api.example.com', token: 'secret' }
  const deployment = { name: 'The stage prod', apiUrl: access.apiUrl }
  const mediaOrigins = mediaOriginsOf(access.apiUrl)
  const login = createConsoleLogin('let me in')
  const serve = createConsole({ access, mediaOrigins, login, deployment })
  const ask = (path: string, init: RequestInit = {}) =>
    serve(new Request(`http://127.0.0.1:4180${path}`, { ...init, headers: { host: '127.0.0.1:4180', cookie: COOKIE } }))

  it('names it, and has no participants or join page', async () => {
    expect(await (await ask('/deployment')).json()).toEqual({ ...deployment, isLocal: false, ahead: 0 })
    expect(await (await ask('/green-room')).json()).toEqual({ joinUrl: '', participants: [] })
    const joining = await ask('/participants', { method: 'POST', body: '{"showId":"abc"}' })
    expect(joining.status).toBe(409)
    expect(await (await page('/deployment')).json()).toEqual({ isLocal: true, sandboxUrl: SANDBOX, ahead: 0 })
  })

  it('loads media from https hosts, and code from its own only', async () => {
    const policy = (await ask('/')).headers.get('content-security-policy')
    expect(policy).toContain(`script-src 'self'; style-src 'self'; img-src 'self' https:; media-src blob: https:;`)
    expect(mediaOriginsOf('http://127.0.0.1:4400')).toEqual(['https:', 'http://127.0.0.1:*'])
  })
})

describe('startConsole', () => {
  const options = () => ({
    access: { apiUrl: api.url, token: 'secret' },
    mediaOrigins: [],
    login: createConsoleLogin('t'),
    local: { participants: { attend: () => true, close: async () => {} }, joinUrl: JOIN, greenRoom, sandbox, clock },
  })

  it('refuses a path outside its folder, however it is encoded', async () => {
    const server = await startConsole(options())
    const status = await new Promise((resolve, reject) => {
      const cookie = `showrunner-console-${new URL(server.url).port}=t`
      const asked = request(server.url, { path: '/../package.json', headers: { cookie } }, (response) =>
        resolve(response.resume().statusCode),
      )
      asked.on('error', reject).end()
    })
    expect(status).toBe(404)
    await server.close()
  })
})
