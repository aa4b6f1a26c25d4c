import { SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import { type Clock, createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import type { Media } from '../../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { type JoinOptions, joinSession } from '../../../../local/sandbox/participants/client.ts'
import type { SessionEvent } from '../../../../local/sandbox/participants/messages.ts'
import { type SandboxServer, startSandbox } from '../../../../local/sandbox/server.ts'
import { START } from '../open-sandbox.ts'

/** Opens a sandbox server under a stepped clock with one session, and functions to join it. */
export async function openRoom({ media = createMediaOff }: { media?: (clock: Clock) => Media | Promise<Media> } = {}) {
  const clock: SteppedClock = createSteppedClock(START, () => server.settled())
  const server: SandboxServer = await startSandbox({ clock, media: await media(clock) })
  onTestFinished(server.close)
  const { url, apiKey, apiSecret, accountKey, accountSecret } = server
  const seconds = () => Math.floor(clock.now() / 1000)
  const sign = (claims: Record<string, unknown>, secret = apiSecret) =>
    new SignJWT({ iss: apiKey, ist: 'project', iat: seconds(), exp: seconds() + 300, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))

  /** Calls an operation whose arguments are a path’s, and a body’s besides. */
  async function call(name: OperationName, args: Record<string, unknown> = {}) {
    const { method, path, credentials }: Operation = operations[name]
    const given: Record<string, unknown> = { apiKey, ...args }
    const isAccounts = credentials === 'account'
    const token = await (isAccounts ? sign({ iss: accountKey, ist: 'account' }, accountSecret) : sign({}))
    const filled = path.replace(/\{(\w+)\}/g, (_, field) => String(given[field]))
    const headers = { [AUTH_HEADER]: token, accept: 'application/json', 'content-type': 'application/json' }
    const hasBody = method !== 'GET' && method !== 'DELETE' && name !== 'createSession'
    const response = await fetch(url + filled, { method, headers, ...(hasBody && { body: JSON.stringify(args) }) })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
  }
  const createSession = async () => (await call('createSession')).body[0].session_id as string
  const sessionId = await createSession()

  const clientToken = (claims: Record<string, unknown> = {}, secret?: string) => {
    const what = { session_id: sessionId, role: 'publisher', nonce: 'n', scope: 'session.connect' }
    return sign({ ...what, initial_layout_class_list: '', ...claims }, secret)
  }

  /** Joins by the client, and records the events that it receives. */
  async function join(claims: Record<string, unknown> = {}, options: Partial<JoinOptions> = {}) {
    const received: SessionEvent[] = []
    const ears = new Set<(event: SessionEvent) => void>()
    const onEvent = (event: SessionEvent) => {
      received.push(event)
      for (const listen of ears) listen(event)
    }
    const participant = await joinSession({ url, sessionId, token: await clientToken(claims), onEvent, ...options })
    /** Resolves with the first event of a type, also if it was received before. */
    const receives = <Type extends SessionEvent['type']>(type: Type) =>
      new Promise<SessionEvent & { type: Type }>((resolve) => {
        const listen = (event: SessionEvent) => {
          if (event.type === type) resolve(event as SessionEvent & { type: Type })
        }
        ears.add(listen)
        for (const event of received) listen(event)
      })
    return { ...participant, received, receives }
  }

  const address = `${url.replace('http', 'ws')}/sandbox/sessions/${sessionId}/participants`
  return { server, clock, url, address, apiKey, sessionId, call, createSession, clientToken, join }
}
