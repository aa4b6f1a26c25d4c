import type { Clock } from '../../../../lib/clock.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { Assembly } from '../../../cloud/assembly.ts'
import type { Issuer } from '../../../cloud/http/issuer.ts'
import { lostConnection } from '../../faults/fault-responses.ts'
import { addresses } from '../addresses.ts'
import type { Network } from '../network.ts'

/** A request of Showrunner to the event app. */
export interface Callback {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A time during which the server of an event app refuses requests. */
export interface AppOutage {
  /** Seconds since the world began. */
  readonly at: number
  readonly seconds: number
  /** Status of every answer, or none: the connection is refused, or kept until its caller gives up. */
  readonly answers: (typeof appAnswers)[number] | 'silence'
}

export const appAnswers = ['nothing', 302, 404, 410, 429, 500] as const

/** Creates the server of an event app. It accepts every request outside its outages. */
export function createApp({
  now,
  beginning = now(),
  outages = [],
}: {
  now: () => number
  /** Time from which outages are counted, in milliseconds since the epoch. @default now */
  beginning?: number
  outages?: readonly AppOutage[] | undefined
}) {
  const callbacks: Callback[] = []
  const receive = async (request: Request): Promise<Response> => {
    const since = (now() - beginning) / 1000
    const outage = outages.find(({ at, seconds }) => since >= at && since < at + seconds)
    if (outage?.answers === 'nothing') throw lostConnection()
    if (outage?.answers === 'silence') return silence(request)
    if (outage)
      return new Response(null, { status: outage.answers, headers: { location: `${addresses.app}/elsewhere` } })
    const { url, headers } = request
    callbacks.push({ at: now(), url, headers: Object.fromEntries(headers), body: await request.text() })
    return new Response(null, { status: 204 })
  }
  return { receive, callbacks }
}

/** Rejects once the caller of a request has given up. */
function silence({ signal }: Request): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(lostConnection()))
  return promise
}

export interface ApiOptions {
  readonly assembly: Assembly
  readonly issuer: Issuer
  readonly clock: Clock
}

export interface ApiRequest {
  readonly method: string
  readonly path: string
  /** Value of `Idempotency-Key`. */
  readonly key: string
  readonly body?: object | undefined
  /** Role that its token grants. @default admin, who may do everything */
  readonly role?: 'operator' | undefined
  /** Captions, instead of a body in JSON. */
  readonly captions?: string | undefined
}

/** Calls Showrunner’s API as an event app. Rejects when no answer arrives. */
export type CallApi = (request: ApiRequest) => Promise<Response>

export function createApiCaller(app: Network, { assembly, issuer, clock }: ApiOptions): CallApi {
  const audience = audienceOf(assembly)
  const roles = { admin: roleOf(assembly, 'ADMIN_ROLE'), operator: roleOf(assembly, 'OPERATOR_ROLE') }
  return async ({ method, path, key, body, captions, role }) => {
    const token = await issuer.sign(
      { sub: 'app', ...roles[role ?? 'admin'] },
      { audience, seconds: 3_600, now: clock.now() },
    )
    const type = captions === undefined ? 'application/json' : 'text/vtt'
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': type }
    const text = captions ?? (body === undefined ? null : JSON.stringify(body))
    return app.api(new Request(addresses.api + path, { method, headers, body: text }))
  }
}

export interface PostShowOptions {
  readonly show: ShowDocument
  /** Value of `Idempotency-Key`, from which the show’s id is derived. */
  readonly key: string
  readonly clock: Clock
  /** Seconds between attempts. @default 10 */
  readonly repostAfter?: number | undefined
}

/** Attempts of an app to post a show, and seconds between them. */
const TRIES = 200
const TRY_AGAIN = 10

/** Thrown when the API refuses a show. */
export class CallbackRefusedError extends Error {
  override readonly name = 'RefusedError'
}

/**
 * Posts a show as an event app does, again while the API cannot be reached, and returns its id.
 * @throws RefusedError with every problem of the document
 */
export async function postShow(
  call: CallApi,
  { show, key, clock, repostAfter = TRY_AGAIN }: PostShowOptions,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const answer = await call({ method: 'POST', path: '/shows', key, body: show }).then(read, () => undefined)
    if (typeof answer?.showId === 'string') return answer.showId
    if (answer?.problems !== undefined) throw new CallbackRefusedError(describe(answer))
    if (tries === TRIES) throw new Error(describe(answer))
    await clock.sleep(repostAfter * 1000)
  }
}

/** Reads an answer; undefined if its body is not JSON, which an app takes for no answer. */
async function read(response: Response): Promise<(Answer & { status: number }) | undefined> {
  const answer = (await response.json().catch(() => undefined)) as Answer | undefined
  return answer && { ...answer, status: response.status }
}

function describe(answer: (Answer & { status: number }) | undefined): string {
  const problems = answer?.problems?.map(({ path, message }) => `${path || 'the show'} ${message}`) ?? []
  return [answer?.detail ?? `The API answered ${answer?.status ?? 'nothing'}.`, ...problems].join('\n  ')
}

interface Answer {
  readonly showId?: string
  readonly detail?: string
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
}

/** Returns the claim of a role, by the variable of its value. */
function roleOf({ template }: Assembly, variable: 'ADMIN_ROLE' | 'OPERATOR_ROLE'): Record<string, string> {
  for (const { Properties } of Object.values(template.Resources)) {
    const { Environment: environment } = (Properties ?? {}) as { Environment?: { Variables: Record<string, string> } }
    const { ROLE_CLAIM: claim, [variable]: role = '' } = environment?.Variables ?? {}
    if (claim) return { [claim]: role }
  }
  return {}
}

/** Returns the audience that the stack’s API requires of tokens. */
export function audienceOf({ template }: Assembly): string {
  const authorizers = Object.values(template.Resources).filter(({ Type: type }) => type.endsWith('::Authorizer'))
  const { JwtConfiguration: jwt } = (authorizers[0]?.Properties ?? {}) as { JwtConfiguration?: { Audience: string[] } }
  return jwt?.Audience[0] ?? ''
}
