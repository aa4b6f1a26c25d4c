import { SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { type OperationName, operations } from '../../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import type { Media } from '../../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { joinSession } from '../../../../local/sandbox/participants/client.ts'
import type { SessionEvent } from '../../../../local/sandbox/participants/messages.ts'
import { startSandbox } from '../../../../local/sandbox/server.ts'

/** Starts a sandbox in real time with one session, and returns the means to use its WebRTC doors. */
export async function openDoors(
  media: Media = createMediaOff(realClock),
  options: { chromiumPath?: string; address?: string } = {},
) {
  const server = await startSandbox({ ...options, media })
  onTestFinished(server.close)
  return { ...server, ...(await openDoorsOf(server)) }
}

/** Creates a session in a running sandbox. */
export async function openDoorsOf({ url, apiKey, apiSecret }: Record<'url' | 'apiKey' | 'apiSecret', string>) {
  const sign = (claims: Record<string, unknown>) => {
    const iat = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: apiKey, ist: 'project', iat, exp: iat + 300, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(apiSecret))
  }

  /** Calls an operation whose arguments are those of its path and of its JSON body. */
  async function call(name: OperationName, args: Record<string, unknown> = {}) {
    const { method, path } = operations[name]
    const given: Record<string, unknown> = { apiKey, ...args }
    const filled = path.replace(/\{(\w+)\}/g, (_, field) => String(given[field]))
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    // A connection that is kept would be reset when it is used after a long pause: the server and this test share a thread.
    const headers = { [AUTH_HEADER]: await sign({}), ...json, connection: 'close' }
    const hasBody = method !== 'GET' && method !== 'DELETE' && name !== 'createSession'
    const response = await fetch(url + filled, { method, headers, ...(hasBody && { body: JSON.stringify(args) }) })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }
  const sessionId: string = (await call('createSession')).body[0].session_id

  /** Returns a client token of the session. */
  const clientToken = (claims: Record<string, unknown> = {}) =>
    sign({
      ...{ session_id: sessionId, role: 'publisher', nonce: 'n', scope: 'session.connect' },
      ...{ initial_layout_class_list: '', ...claims },
    })
  const door = (name: 'whip' | 'whep', query: Record<string, string> = {}) =>
    `${url}/sandbox/sessions/${sessionId}/${name}?${new URLSearchParams(query)}`
  const streams = async () => {
    const { status, body } = await call('listStreams', { sessionId })
    return status === 404 ? [] : (body.items as { id: string; name: string }[])
  }

  /** Joins the session as a moderator that does not publish, and notes the events it receives. */
  async function watch() {
    const events: SessionEvent[] = []
    const token = await clientToken({ role: 'moderator' })
    const { leave } = await joinSession({ url, sessionId, token, onEvent: (event) => events.push(event) })
    onTestFinished(leave)
    /** Resolves with the first event of a type. */
    const event = async <Type extends SessionEvent['type']>(type: Type) =>
      (await eventually(
        () => events.find((one) => one.type === type),
        (one) => one !== undefined,
      )) as SessionEvent & { type: Type }
    return { events, event }
  }

  return { sessionId, call, clientToken, door, streams, watch }
}

/** Repeats a question until the answer is accepted; the test's own time limit is the only one. */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
  isAccepted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (isAccepted(answer)) return answer
    await realClock.sleep(50)
  }
}
