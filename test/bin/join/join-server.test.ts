import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createJoinPage, startJoinPage } from '../../../bin/join/join-server.ts'
import { createWaitingParticipants, type WaitingParticipants } from '../../../bin/join/waiting-participants.ts'
import { problemUri } from '../../../lib/api/problem-names.ts'
import type { ProblemType } from '../../../lib/api/problem-types.ts'
import { createSteppedClock } from '../../../lib/clock.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'

const INVITATION = 'come in'
const SANDBOX = 'http://127.0.0.1:7'
const visitor = '7d3f1a52-0c3e-4a54-9d5e-0a0b0c0d0e0f'

interface Seen {
  readonly line: string
  readonly authorization: string | null
  readonly body: unknown
}

const seen: Seen[] = []
let api: Listening
let shows: readonly { readonly showId: string; readonly status: string; readonly scheduleId?: string }[]
let participants: WaitingParticipants
let page: (path: string, init?: RequestInit) => Promise<Response>

/** An API whose shows the test sets. The show `early` has no session. */
async function answer(asked: Request): Promise<Response> {
  const { pathname, search } = new URL(asked.url)
  const text = await asked.text()
  const authorization = asked.headers.get('authorization')
  seen.push({ line: `${asked.method} ${pathname}${search}`, authorization, body: text && JSON.parse(text) })
  if (pathname === '/shows') return Response.json({ items: shows })
  if (pathname === '/public/join') return admit(JSON.parse(text))
  const [, showId = '', tokens] = /^\/shows\/([^/]+)(\/tokens)?$/.exec(pathname) ?? []
  if (showId === 'none') return Response.json({ detail: 'There is no show none.' }, { status: 404 })
  if (!tokens) {
    const show = shows.find((one) => one.showId === showId) ?? { showId, status: 'live' }
    return Response.json({ ...show, name: 'Launch', sessionId: 's', timeline: [], labels: { budget: 'high' } })
  }
  if (showId === 'early') return Response.json({ detail: 'It has no session yet.' }, { status: 409 })
  return Response.json({ apiKey: 'k', sessionId: 's', token: 'client token' })
}

const invitationTo = (showId: string) => `${Buffer.from(JSON.stringify({ showId })).toString('base64url')}.c2ln`

/** Invitations to `abc` are exchanged, those to `early` too early, those to `past` too late, and no others. */
function admit({ invitation }: { readonly invitation: string }): Response {
  const refuse = (status: number, detail: string, type?: ProblemType) =>
    Response.json({ ...(type && { type: problemUri(type) }), detail }, { status })
  if (invitation === invitationTo('early')) return refuse(409, 'The show is not open yet.', 'show-not-open')
  if (invitation === invitationTo('past')) return refuse(410, 'The show is over.')
  if (invitation !== invitationTo('abc')) return refuse(403, 'The invitation was changed.')
  return Response.json({ showId: 'abc', apiKey: 'k', sessionId: 's', token: 'invited' })
}

beforeAll(async () => {
  api = await listen(answer)
  const access = { apiUrl: api.url, token: 'secret' }
  const ofTest: WaitingParticipants = {
    note: (...given) => participants.note(...given),
    remove: (visitor) => participants.remove(visitor),
    list: () => participants.list(),
  }
  // Once: it bundles the page.
  const serve = createJoinPage({ access, sandboxUrl: SANDBOX, invitation: INVITATION, participants: ofTest })
  page = (path, init = {}) => {
    const given = { host: '127.0.0.1:4181', authorization: `Bearer ${INVITATION}` }
    const headers = { ...given, ...(init.headers as Record<string, string>) }
    return serve(new Request(`http://127.0.0.1:4181${path}`, { ...init, headers }))
  }
})
afterAll(() => api.close())
beforeEach(() => {
  seen.length = 0
  shows = []
  participants = createWaitingParticipants(createSteppedClock(0))
})

const post = (path: string, body: unknown, headers = {}) =>
  page(path, { method: 'POST', body: JSON.stringify(body), headers })

describe('createJoinPage', () => {
  it('serves the page without an invitation, and lets it connect to the sandbox only', async () => {
    const response = await page('/', { headers: { authorization: '' } })
    expect(await response.text()).toContain('<title>Join the show</title>')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' ${SANDBOX} ws://127.0.0.1:7;`)
    expect(policy).not.toContain('unsafe')
    for (const path of ['/join.css', '/join.js', '/icon.svg']) expect((await page(path)).status).toBe(200)
    for (const path of ['/join.html', '/main.ts', '/api/shows']) expect((await page(path)).status).toBe(404)
  })

  it.each([
    ['no invitation', { authorization: '' }, 401],
    ['another invitation', { authorization: 'Bearer other' }, 401],
    ['another name for this machine', { host: 'showrunner.example' }, 403],
    ['a page from elsewhere', { origin: 'https://example.com' }, 403],
    ['a page on another port', { origin: 'http://127.0.0.1:5000' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    expect((await post('/api/tokens', { visitor, name: 'Ada', showId: 'abc' }, headers)).status).toBe(status)
    expect((await page('/api/show', { headers: headers as unknown as Record<string, string> })).status).toBe(status)
    expect(seen).toEqual([])
  })

  it('answers the named show, without what participants need not know', async () => {
    const response = await page('/api/show?show=abc')
    expect(await response.json()).toEqual({ show: { showId: 'abc', name: 'Launch', status: 'live', isOpen: true } })
    expect((await page('/api/show?show=none')).status).toBe(404)
    expect((await page('/api/show?show=..%2fusage')).status).toBe(404)
    expect(seen.map(({ line }) => line)).toEqual(['GET /shows/abc', 'GET /shows/none'])
  })

  it('answers the newest show that runs, then one that is scheduled, or none', async () => {
    const found = async () => ((await (await page('/api/show')).json()) as { show?: { showId: string } }).show?.showId
    expect(await found()).toBeUndefined()
    shows = [
      { showId: 'over', status: 'succeeded' },
      { showId: 'later', status: 'scheduled' },
    ]
    expect(await found()).toBe('later')
    shows = [...shows, { showId: 'now', status: 'waiting' }]
    expect(await found()).toBe('now')
  })

  it('creates a token for a publisher with the name, and never returns its own', async () => {
    const response = await post('/api/tokens', { visitor, name: ' Ada ', showId: 'abc' })
    expect(await response.json()).toEqual({ sessionId: 's', token: 'client token', sandboxUrl: SANDBOX })
    expect([...response.headers.values()].join()).not.toContain('secret')
    expect(seen).toEqual([
      { line: 'POST /shows/abc/tokens', authorization: 'Bearer secret', body: { role: 'publisher', data: 'Ada' } },
    ])
  })

  it('shows the one show of an invitation, and exchanges it for a token', async () => {
    const headers = { authorization: `Bearer ${invitationTo('abc')}` }
    shows = [{ showId: 'other', status: 'live' }]
    expect(await (await page('/api/show?show=other', { headers })).json()).toMatchObject({ show: { showId: 'abc' } })
    const response = await post('/api/tokens', { visitor, name: 'Ada', showId: 'other' }, headers)
    expect(await response.json()).toEqual({ sessionId: 's', token: 'invited', sandboxUrl: SANDBOX })
    expect(seen.at(-1)?.body).toEqual({ invitation: invitationTo('abc'), data: 'Ada' })
    expect(seen.map(({ line }) => line)).not.toContain('POST /shows/other/tokens')
  })

  it('follows an earlier occurrence of the series of an invitation while the next one runs', async () => {
    const headers = { authorization: `Bearer ${invitationTo('abc')}` }
    shows = [
      { showId: 'abc-1', status: 'ending', scheduleId: 'abc' },
      { showId: 'other-1', status: 'live', scheduleId: 'other' },
    ]
    const read = async (showId: string) => (await page(`/api/show?show=${showId}`, { headers })).json()
    expect(await read('abc-1')).toMatchObject({ show: { showId: 'abc-1', status: 'ending' } })
    for (const showId of ['other-1', 'none']) expect(await read(showId)).toMatchObject({ show: { showId: 'abc' } })
  })

  it('lets a participant with an invitation wait until the show is open', async () => {
    const headers = { authorization: `Bearer ${invitationTo('early')}` }
    shows = [{ showId: 'early', status: 'scheduled' }]
    expect(await (await post('/api/waiting', { visitor, name: 'Ada' }, headers)).json()).toMatchObject({
      show: { showId: 'early', status: 'scheduled' },
    })
    expect(participants.list()).toEqual([{ name: 'Ada', showId: 'early' }])
    expect((await post('/api/tokens', { visitor, name: 'Ada', showId: 'early' }, headers)).status).toBe(409)
  })

  it.each([
    ['past', 410],
    ['forged', 403],
  ])('returns the refusal of an invitation that is %s', async (showId, status) => {
    const headers = { authorization: `Bearer ${invitationTo(showId)}` }
    expect((await page('/api/show', { headers })).status).toBe(status)
    expect((await post('/api/tokens', { visitor, name: 'Ada', showId: 'abc' }, headers)).status).toBe(status)
    expect((await page(`/api/waiting/${visitor}`, { method: 'DELETE', headers })).status).toBe(status)
  })

  it('returns the refusal of the API', async () => {
    const response = await post('/api/tokens', { visitor, name: 'Ada', showId: 'early' })
    const problem = { type: 'about:blank', status: 409, detail: 'It has no session yet.' }
    expect([response.status, await response.json()]).toEqual([409, problem])
  })

  it.each([
    { visitor, name: ' ', showId: 'abc' },
    { visitor, name: 'Ada', showId: '../usage' },
    { visitor: 'me', name: 'Ada', showId: 'abc' },
    { visitor, name: 'Ada', showId: 'abc', role: 'moderator' },
    { visitor, name: 'A'.repeat(61), showId: 'abc' },
    'Ada',
  ])('refuses the order %j', async (order) => {
    expect((await post('/api/tokens', order)).status).toBe(400)
    expect(seen).toEqual([])
  })

  it('lists a participant who waits, until the participant joins or leaves', async () => {
    await post('/api/waiting', { visitor, name: 'Ada' })
    expect(participants.list()).toEqual([{ name: 'Ada' }])
    shows = [{ showId: 'now', status: 'live' }]
    await post('/api/waiting', { visitor, name: 'Ada' })
    expect(participants.list()).toEqual([{ name: 'Ada', showId: 'now' }])
    await post('/api/waiting', { visitor, name: 'Ada', showId: 'early' })
    expect(participants.list()).toEqual([{ name: 'Ada', showId: 'early' }])
    await post('/api/tokens', { visitor, name: 'Ada', showId: 'early' })
    expect(participants.list()).toHaveLength(1)
    await post('/api/tokens', { visitor, name: 'Ada', showId: 'abc' })
    expect(participants.list()).toEqual([])
    await post('/api/waiting', { visitor, name: 'Ada' })
    expect((await page(`/api/waiting/${visitor}`, { method: 'DELETE' })).status).toBe(204)
    expect(participants.list()).toEqual([])
  })
})

describe('startJoinPage', () => {
  it('has its invitation in the fragment of its link, which no server receives', async () => {
    const { joinUrl, close } = await startJoinPage({
      access: { apiUrl: api.url, token: 'secret' },
      sandboxUrl: SANDBOX,
    })
    const { origin, pathname, search, hash } = new URL(joinUrl)
    expect([pathname, search, hash.length]).toEqual(['/', '', 33])
    const ask = (authorization: string) => fetch(`${origin}/api/show?show=abc`, { headers: { authorization } })
    expect((await ask(`Bearer ${hash.slice(1)}`)).status).toBe(200)
    expect((await ask('Bearer ')).status).toBe(401)
    await close()
  })
})
