import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Clock, createSteppedClock } from '../../../lib/clock.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { INSIGHTS_PATH, type LogLine } from '../../../local/sandbox/http/router.ts'
import type { Media } from '../../../local/sandbox/media/media.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import type { Credentials } from '../../../local/sandbox/projects/accounts.ts'
import { createSandbox, type SandboxOptions } from '../../../local/sandbox/sandbox.ts'

export const START = Date.UTC(2026, 10, 20, 9)
export const BASE = 'http://localhost'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by many tests, each for something else
  readonly body: any
}

export type WorldOptions = Partial<Omit<SandboxOptions, 'media'>> & {
  readonly seed?: string
  readonly start?: number
  readonly media?: (clock: Clock) => Media
}

/** Opens a sandbox in this process under a stepped clock, by default without media, with functions to use it. */
export function openSandbox(options: WorldOptions = {}) {
  const { seed = 'seed', start = START, media = createMediaOff, ...rest } = options
  const clock = createSteppedClock(start, () => sandbox.settled().then(turn))
  const log: LogLine[] = []
  const sandbox = createSandbox({
    clock,
    random: seededRandom(seed),
    media: media(clock),
    publicUrl: () => BASE,
    log: (line) => log.push(line),
    ...rest,
  })
  const { apiKey, apiSecret } = sandbox.project
  const { accountKey, accountSecret } = sandbox.account
  const seconds = () => Math.floor((rest.clock ?? clock).now() / 1000)
  const sign = (claims: Record<string, unknown> = {}, secret = apiSecret) =>
    new SignJWT({ iss: apiKey, ist: 'project', iat: seconds(), exp: seconds() + 180, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))

  async function send(method: string, path: string, init: { headers?: Record<string, string>; body?: string } = {}) {
    const headers = { [AUTH_HEADER]: await sign(), accept: 'application/json', ...init.headers }
    const response = await sandbox.fetch(new Request(BASE + path, { method, headers, body: init.body ?? null }))
    return read(response)
  }

  const signFor = ({ credentials }: Operation, { apiKey, apiSecret }: Credentials) =>
    credentials === 'account'
      ? sign({ iss: accountKey, ist: 'account' }, accountSecret)
      : sign({ iss: apiKey }, apiSecret)

  /**
   * Calls an operation by its name with a caller's arguments, signed by the account if it requires that, else by
   * the project; holds a success to the contract's schema.
   */
  async function call(
    name: OperationName,
    args: Readonly<Record<string, unknown>> = {},
    project = sandbox.project,
  ): Promise<Answer> {
    const operation: Operation = operations[name]
    const given: Readonly<Record<string, unknown>> = { apiKey: project.apiKey, ...args }
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(given[name])))
    const path = operation.base === 'insights' ? INSIGHTS_PATH + filled : filled
    const query = operation.query ? `?${new URLSearchParams(args as Record<string, string>)}` : ''
    const isForm = operation.encoding === 'form'
    const token = { [AUTH_HEADER]: await signFor(operation, project) }
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const init = operation.body && {
      headers: { ...token, 'content-type': type },
      body: isForm ? String(new URLSearchParams(args as Record<string, string>)) : JSON.stringify(args),
    }
    const answer = await send(operation.method, path + query, init ?? { headers: token })
    if (answer.status === operation.success.status) operation.success.response?.parse(answer.body)
    return answer
  }

  /** Joins a session by the control interface. */
  async function join(sessionId: string, participant: Record<string, unknown> = {}) {
    const { body } = await send('POST', `/sandbox/sessions/${sessionId}/participants`, {
      body: JSON.stringify(participant),
    })
    const { connectionId } = body
    return {
      ...(body as { connectionId: string; streamId?: string; token: string }),
      leave: () => send('DELETE', `/sandbox/sessions/${sessionId}/participants/${connectionId}`),
    }
  }

  async function createSession(args: Record<string, string> = {}): Promise<string> {
    return (await call('createSession', args)).body[0].session_id
  }

  return { sandbox, clock, log, apiKey, apiSecret, accountKey, accountSecret, sign, send, call, join, createSession }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/** Bytes that depend on the seed and the order of calls alone. */
export function seededRandom(seed: string): (bytes: number) => Buffer {
  let count = 0
  return (bytes) => createHash('shake256', { outputLength: bytes }).update(`${seed} ${count++}`).digest()
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
