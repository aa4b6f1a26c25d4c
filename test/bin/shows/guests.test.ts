import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGuests, type Guests } from '../../../bin/shows/guests.ts'
import { realClock } from '../../../lib/clock.ts'
import { createPlatformClient } from '../../../lib/platform/client/client.ts'
import { createClientToken } from '../../../lib/platform/client/client-tokens.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { joinSession } from '../../../local/sandbox/participants/client.ts'
import type { SessionEvent } from '../../../local/sandbox/participants/messages.ts'
import { type SandboxServer, startSandbox } from '../../../local/sandbox/server.ts'

let api: Listening
let sandbox: SandboxServer
let guests: Guests
let sessionId: string
let show: Record<string, unknown>
let refusal: { status: number; detail: string } | undefined
let refused: () => void
let inside: string[]
let tell: () => void
const problems: string[] = []

/** An API that knows one show, whose state the test sets, and lets people into it. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/recordings') return Response.json({ items: [] })
  if (pathname === '/shows/abc') return Response.json(show)
  if (refusal) {
    setImmediate(refused)
    return Response.json({ detail: refusal.detail }, { status: refusal.status })
  }
  const { role, data } = (await request.json()) as { role: 'publisher'; data: string }
  const token = await createClientToken({ ...sandbox, sessionId, role, data })
  return Response.json({ apiKey: sandbox.apiKey, sessionId, token })
}

function watch(event: SessionEvent): void {
  if (event.type === 'streamCreated') inside.push(event.stream.name)
  if (event.type === 'streamDestroyed') inside = inside.filter((name) => name !== event.stream.name)
  tell()
}

/** Resolves as soon as exactly these are inside. */
const areInside = (...names: string[]) =>
  new Promise<void>((resolve) => {
    tell = () => inside.join() === names.join() && resolve()
    tell()
  })

const running = { showId: 'abc', status: 'waiting', recordings: [], broadcasts: [], timeline: [] }
const result = { status: 'succeeded', reason: '', recordings: [], broadcasts: [] }

beforeEach(async () => {
  show = running
  refusal = undefined
  refused = () => {}
  inside = []
  tell = () => {}
  problems.length = 0
  api = await listen(answer)
  sandbox = await startSandbox({ media: createMediaOff(realClock) })
  const { url, apiKey, apiSecret } = sandbox
  const [session] = await createPlatformClient({ baseUrl: url, apiKey, apiSecret }).createSession({})
  sessionId = session?.session_id ?? ''
  const token = await createClientToken({ apiKey, apiSecret, sessionId, role: 'subscriber' })
  await joinSession({ url, sessionId, token, onEvent: watch })
  guests = createGuests({
    access: { apiUrl: api.url, token: 't' },
    sandboxUrl: sandbox.url,
    guests: [{ name: 'Ada' }, { name: 'Grace', joinsAt: 0 }],
    onProblem: (sentence) => problems.push(sentence),
  })
})
afterEach(async () => {
  await guests.close()
  await sandbox.close()
  await api.close()
})

describe('createGuests', () => {
  it('lets guests in at their times by tokens of the API, and out when the show is over', async () => {
    expect(guests.bring('abc')).toBe(true)
    expect(guests.bring('abc')).toBe(false)
    show = { ...running, sessionId }
    await areInside('Ada')
    show = { ...running, sessionId, status: 'live', liveAt: new Date().toISOString() }
    await areInside('Ada', 'Grace')
    show = { ...show, status: 'succeeded', result }
    await areInside()
    expect(problems).toEqual([])
  })

  it('takes them out when it is closed before the end', async () => {
    show = { ...running, sessionId }
    guests.bring('abc')
    await areInside('Ada')
    await guests.close()
    await areInside()
    expect(problems).toEqual([])
  })

  it('lets nobody in any more once the API says that the show is over', async () => {
    show = { ...running, sessionId }
    guests.bring('abc')
    await areInside('Ada')
    refusal = { status: 409, detail: 'The show abc is over, so it issues no tokens.' }
    const asked = new Promise<void>((resolve) => {
      refused = resolve
    })
    show = { ...running, sessionId, status: 'live', liveAt: new Date().toISOString() }
    await asked
    show = { ...show, result }
    await areInside()
    expect(problems).toEqual([])
  })

  it('says why a guest cannot come', async () => {
    show = { ...running, sessionId }
    refusal = { status: 403, detail: 'The token grants no role.' }
    const said = new Promise<void>((resolve) => {
      problems.push = (...sentences) => {
        resolve()
        return Array.prototype.push.apply(problems, sentences)
      }
    })
    guests.bring('abc')
    await said
    expect(problems[0]).toBe('Guests of show abc: The token grants no role.')
  })
})
