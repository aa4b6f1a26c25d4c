import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createConsoleLogin } from '../../../bin/console/console-login.ts'
import { createConsole, startConsole } from '../../../bin/console/console-server.ts'
import { mediaOriginsOf } from '../../../bin/console/media-origins.ts'
import { COOKIE, JOIN, MEDIA, SANDBOX, useConsole } from './open-console.ts'

const { page, pageOf, post, seen, attended, optionsOf } = useConsole()

describe('createConsole', () => {
  it('serves the page with headers that allow only its own code', async () => {
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

  it('returns the link to the join page and the participants, only to its user', async () => {
    const response = await page('/green-room?session=one&session=two')
    expect(await response.json()).toEqual({
      joinUrl: JOIN,
      participants: ['one', 'two'].map((sessionId) => ({ name: 'Ada', hasJoined: true, sessionId })),
    })
    expect((await page('/green-room', { headers: { cookie: '' } })).status).toBe(401)
  })

  it('lets participants join an existing show once', async () => {
    expect((await post('/participants', '{"showId":"abc"}')).status).toBe(202)
    expect((await post('/participants', '{"showId":"abc"}')).status).toBe(409)
    expect((await post('/participants', '{"showId":"none"}')).status).toBe(404)
    expect((await post('/participants', '{"showId":"../abc"}')).status).toBe(400)
    expect((await post('/participants', 'abc')).status).toBe(400)
    expect(attended).toEqual(['abc'])
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
    expect([seen, attended]).toEqual([[], []])
  })

  it('accepts a visit by a link from another site, and requests that the page sends', async () => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await page('/', { headers: visit })).status).toBe(200)
    expect((await page('/api/shows', { headers: visit })).status).toBe(403)
    expect(
      (await page('/api/shows', { headers: { origin: 'http://127.0.0.1:4180', 'sec-fetch-site': 'same-origin' } }))
        .status,
    ).toBe(200)
  })
})

describe('createConsole for a deployment', () => {
  const access = { apiUrl: 'https://api.example.com', token: 'secret' }
  const deployment = { name: 'The stage prod', apiUrl: access.apiUrl }
  const mediaOrigins = mediaOriginsOf(access.apiUrl)
  const login = createConsoleLogin('let me in')
  const serve = createConsole({ access, mediaOrigins, login, deployment })
  const ask = pageOf(serve)

  it('returns the deployment, and has no participants and no join page', async () => {
    expect(await (await ask('/deployment')).json()).toEqual({ ...deployment, isLocal: false, ahead: 0 })
    expect(await (await ask('/green-room')).json()).toEqual({ joinUrl: '', participants: [] })
    const joining = await ask('/participants', { method: 'POST', body: '{"showId":"abc"}' })
    expect(joining.status).toBe(409)
    expect(await (await page('/deployment')).json()).toEqual({ isLocal: true, sandboxUrl: SANDBOX, ahead: 0 })
  })

  it('allows media from every https host, and code only from itself', async () => {
    const policy = (await ask('/')).headers.get('content-security-policy')
    expect(policy).toContain(`script-src 'self'; style-src 'self'; img-src 'self' https:; media-src blob: https:;`)
  })
})

describe('startConsole', () => {
  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/.%2e/.%2e/package.json',
    '/icon.svg/../../../package.json',
  ])('answers 404 at the path %s, which leads out of its folder', async (path) => {
    const server = await startConsole(optionsOf())
    onTestFinished(() => server.close())
    const cookie = COOKIE.replace('4180', new URL(server.url).port)
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    // fetch would normalize the path
    request(server.url, { path, headers: { cookie } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
    expect(await promise).toBe(404)
  })
})
