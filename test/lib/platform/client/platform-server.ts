import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { jwtVerify } from 'jose'
import { type Clock, createSteppedClock } from '../../../../lib/clock.ts'
import type { PlatformError } from '../../../../lib/platform/client/errors.ts'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import { operations } from '../../../../lib/platform/contract/operations/operations.ts'
import { serviceClaims } from '../../../../lib/platform/contract/tokens.ts'

export const API_KEY = '100001'
export const API_SECRET = 'the-project-secret-that-is-confidential'
export const ACCOUNT = { key: '42', secret: 'the-account-secret-that-is-confidential' } as const
/** Path of Insights on the server. */
export const INSIGHTS_PATH = '/insights'

/** Handles one request instead of answering it with the example of its operation. */
export type Fault = (request: IncomingMessage, response: ServerResponse, body: string) => void

export interface Received {
  readonly operation: string | undefined
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly token: string
  readonly port: number | undefined
}

/**
 * Starts a platform that answers every operation with its example, and validates every request against the contract. Problems
 * are in `complaints`. Each request takes the next of `faults`.
 */
export async function startPlatformServer(clock: Clock, { secret = API_SECRET, header = 'x-service-auth' } = {}) {
  const received: Received[] = []
  const complaints: string[] = []
  const faults: Fault[] = []
  const tokens = new Set<string>()
  let arrived = Promise.withResolvers<void>()

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const url = request.url ?? ''
    const token = String(request.headers[header])
    const found = Object.entries<Operation>(operations).find(([, { method, path, base }]) => {
      const fixed = path.replace('{apiKey}', API_KEY)
      const pattern = `${base === 'insights' ? INSIGHTS_PATH : ''}${fixed.replace(/\{\w+\}/g, '[^/]+')}`
      return method === request.method && new RegExp(`^${pattern}$`).test(new URL(url, 'http://any').pathname)
    })
    received.push({
      operation: found?.[0],
      url,
      headers: request.headers,
      body,
      token,
      port: request.socket.remotePort,
    })
    const signer =
      found?.[1].credentials === 'account'
        ? { ist: 'account', iss: ACCOUNT.key, secret: ACCOUNT.secret }
        : { ist: 'project', iss: API_KEY, secret }
    const problem =
      (await tokenProblem(token, signer, clock)) ?? (found ? requestProblem(found[1], request, body) : 'unknown route')
    if (tokens.has(token)) complaints.push('a token was used twice')
    tokens.add(token)
    const fault = faults.shift()
    const answer = problem
      ? send(400, { code: 400, message: problem })
      : send(found?.[1].success.status ?? 404, found?.[1].example.response)
    if (problem && !fault) complaints.push(problem)
    const act = fault ?? answer
    act(request, response, body)
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    complaints,
    faults,
    /** Resolves once the next request has been handled. */
    arrival: () => arrived.promise,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function tokenProblem(
  token: string,
  signer: { ist: string; iss: string; secret: string },
  clock: Clock,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(signer.secret), {
      algorithms: ['HS256'],
      currentDate: new Date(clock.now()),
    })
    const { iss, ist, jti } = serviceClaims.parse(payload)
    return iss === signer.iss && ist === signer.ist && jti ? undefined : 'the token’s claims are wrong'
  } catch (problem) {
    return `the token is invalid: ${problem}`
  }
}

function requestProblem(operation: Operation, { url = '', headers }: IncomingMessage, body: string) {
  const isForm = operation.encoding === 'form'
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  if (headers.accept !== 'application/json') return 'accept is not application/json'
  if (headers['content-type'] !== (body ? type : undefined)) return `content type ${headers['content-type']}`
  if (!operation.body !== !body) return 'a body is there that should not be, or the other way round'
  const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : body ? JSON.parse(body) : {}
  const query = Object.fromEntries(new URL(url, 'http://any').searchParams)
  const results = [operation.body?.safeParse(fields), operation.query?.safeParse(query)]
  return results.find((result) => result?.success === false)?.error?.message
}

/** Returns a fault that answers with JSON, or with an unchanged string. */
export function send(status: number, body?: unknown, headers: Record<string, string> = {}): Fault {
  const content = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  return (_request, response) => {
    response.writeHead(status, { ...(status !== 204 && { 'content-type': 'application/json' }), ...headers })
    response.end(content)
  }
}

export const faults = {
  reset: (request) => void request.socket.resetAndDestroy(),
  halfClosed: (request) => void request.socket.end(),
  silent: () => undefined,
  headersOnly: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('[')
  },
  /** Sends a byte each millisecond until the connection is closed. */
  trickling: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 1)
    response.on('close', () => clearInterval(timer))
  },
  cutShort: (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"id":', () => request.socket.destroy())
  },
  html: send(200, '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html; charset=utf-8' }),
  redirect: send(302, '', { location: 'http://127.0.0.1:9/elsewhere' }),
  /** Sends data until the connection is closed. */
  garbage: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = 'x'.repeat(2 ** 16)
    const more = () => {
      while (response.write(chunk));
    }
    response.on('drain', more)
    more()
  },
  announcedGarbage: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10 * 2 ** 20 })
    response.write('x')
  },
} satisfies Record<string, Fault>

/** Creates a stepped clock that advances at once for each sleep and records it. Other timers wait for a step. */
export function createSleepRecordingClock() {
  const clock = createSteppedClock(1795166400000)
  const sleeps: number[] = []
  const sleep: Clock['sleep'] = async (ms, signal) => {
    sleeps.push(ms)
    const [, asleep] = await Promise.allSettled([clock.advance(Math.ceil(ms)), clock.sleep(ms, signal)])
    if (asleep.status === 'rejected') throw asleep.reason
  }
  return { ...clock, sleep, sleeps }
}

/** Returns the error that a call rejects with. */
export async function failure(call: Promise<unknown>): Promise<PlatformError> {
  const outcome = await call.then(
    () => undefined,
    (error: PlatformError) => error,
  )
  if (!outcome) throw new Error('The call succeeded, but should have failed.')
  return outcome
}
