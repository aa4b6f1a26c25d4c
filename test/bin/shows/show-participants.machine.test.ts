import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createShowParticipants, type ShowParticipants } from '../../../bin/shows/show-participants.ts'
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
let participants: ShowParticipants
let sessionId: string
let show: Record<string, unknown>
let refusal: { status: number; detail: string } | undefined
let refused: () => void
let present: string[]
let notify: () => void
const problems: string[] = []

/** An API with one show, whose state the test sets. It issues tokens for the show. */
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
  if (event.type === 'streamCreated') present.push(event.stream.name)
  if (event.type === 'streamDestroyed') present = present.filter((name) => name !== event.stream.name)
  notify()
}

/** Resolves as soon as exactly these are in the session. */
const arePresent = (...names: string[]) =>
  new Promise<void>((resolve) => {
    notify = () => present.join() === names.join() && resolve()
    notify()
  })

const running = { showId: 'abc', status: 'waiting', recordings: [], broadcasts: [], timeline: [] }
const result = { status: 'succeeded', reason: '', recordings: [], broadcasts: [] }

beforeEach(async () => {
  show = running
  refusal = undefined
  refused = () => {}
  present = []
  notify = () => {}
  problems.length = 0
  api = await listen(answer)
  sandbox = await startSandbox({ media: createMediaOff(realClock) })
  const { url, apiKey, apiSecret } = sandbox
  const [session] = await createPlatformClient({ baseUrl: url, apiKey, apiSecret }).createSession({})
  sessionId = session?.session_id ?? ''
  const token = await createClientToken({ apiKey, apiSecret, sessionId, role: 'subscriber' })
  await joinSession({ url, sessionId, token, onEvent: watch })
  participants = createShowParticipants({
    access: { apiUrl: api.url, token: 't' },
    sandboxUrl: sandbox.url,
    participants: [{ name: 'Ada' }, { name: 'Grace', joinsAt: 0 }],
    onProblem: (sentence) => problems.push(sentence),
  })
})
afterEach(async () => {
  await participants.close()
  await sandbox.close()
  await api.close()
})

describe('createShowParticipants', () => {
  it('lets participants join at their times with tokens of the API, and leave when the show is over', async () => {
    expect(participants.attend('abc')).toBe(true)
    expect(participants.attend('abc')).toBe(false)
    show = { ...running, sessionId }
    await arePresent('Ada')
    show = { ...running, sessionId, status: 'live', liveAt: new Date().toISOString() }
    await arePresent('Ada', 'Grace')
    show = { ...show, status: 'succeeded', result }
    await arePresent()
    expect(problems).toEqual([])
  })

  it('disconnects them when it is closed before the end', async () => {
    show = { ...running, sessionId }
    participants.attend('abc')
    await arePresent('Ada')
    await participants.close()
    await arePresent()
    expect(problems).toEqual([])
  })

  it('lets no participant join once the API reports that the show is over', async () => {
    show = { ...running, sessionId }
    participants.attend('abc')
    await arePresent('Ada')
    refusal = { status: 409, detail: 'The show abc is over, so it issues no tokens.' }
    const asked = new Promise<void>((resolve) => {
      refused = resolve
    })
    show = { ...running, sessionId, status: 'live', liveAt: new Date().toISOString() }
    await asked
    show = { ...show, result }
    await arePresent()
    expect(problems).toEqual([])
  })

  it('reports why a participant cannot join', async () => {
    show = { ...running, sessionId }
    refusal = { status: 403, detail: 'The token grants no role.' }
    const reported = new Promise<void>((resolve) => {
      problems.push = (...sentences) => {
        resolve()
        return Array.prototype.push.apply(problems, sentences)
      }
    })
    participants.attend('abc')
    await reported
    expect(problems[0]).toBe('Participants of show abc: The token grants no role.')
  })
})
