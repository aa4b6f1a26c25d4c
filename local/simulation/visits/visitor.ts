import type { Clock } from '../../../lib/clock.ts'
import type { Issuer } from '../../cloud/http/issuer.ts'
import { addresses } from '../environment/addresses.ts'
import type { Network } from '../environment/network.ts'

/** A request of a visitor to the API, to a watch page or to a file, with its answer. */
export interface Visit extends Asked {
  readonly method: string
  /** Path and query of the API; the URL of a file. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined if no answer arrived. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly answer: string
  /** True for a visit of a world at rest, in which nothing fails. */
  readonly isAtRest: boolean
  readonly site: Site
}

export interface Asked {
  /** Roles of the token; none for a request without a token. */
  readonly as?: string | undefined
  /** `If-None-Match`. */
  readonly known?: string | undefined
  readonly accept?: string | undefined
  /** A body, which is sent as JSON. */
  readonly body?: object | undefined
  /** A body that is sent as it is, instead of JSON, and its media type. */
  readonly text?: string | undefined
  readonly type?: string | undefined
  /** `Idempotency-Key`. */
  readonly key?: string | undefined
  /** `Authorization`, instead of a token. */
  readonly authorization?: string | undefined
  /** More claims of the token. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  /** Headers of the answer, where the situation decides them. */
  readonly has?: Readonly<Record<string, string>> | undefined
  /** A text that the answer contains, where the situation decides it: the code of a problem, or the heading of a page. */
  readonly says?: string | undefined
  /** The code of the problem of a refusal, where only its status is not decided by the situation. */
  readonly problem?: string | undefined
  /** The documented status, where the situation decides it. */
  readonly expects?: number | undefined
}

/** The settings of watch pages. */
export interface Site {
  /** Origin of links to watch pages. */
  readonly origin: string
  /** Sources of pages that may frame them, as a content security policy names them. */
  readonly ancestors: string
  /** Origin of the page that opens invitations. @default none */
  readonly joinUrl?: string
  /** True for requests past the distribution in front of watch pages. */
  readonly isPast?: true
}

/** The settings of a deployment that has none. */
export const PLAIN: Site = { origin: addresses.api, ancestors: "'none'" }

export interface VisitorOptions {
  readonly network: Pick<Network, 'api'> & { aws(request: Request): Promise<Response> }
  readonly issuer: Pick<Issuer, 'sign'>
  readonly clock: Clock
  /** The audience that the API requires of tokens, and the claim that names roles. */
  readonly token: { readonly audience: string; readonly claim: string }
  /** @default without a distribution, framed by no page */
  readonly site?: Site
}

/** Requests after which a visitor waits for a second in a world at rest: the API limits the rate of each route. */
const AT_ONCE = 20

/** Validity of a token. */
const TOKEN_SECONDS = 3_600

/** A visitor of the API, of watch pages and of their files. */
export type Visitor = ReturnType<typeof createVisitor>

/** Creates a visitor, whose visits are noted. It makes no request again. */
export function createVisitor({ network, issuer, clock, token: { audience, claim }, site = PLAIN }: VisitorOptions) {
  const visits: Visit[] = []
  let isAtRest = false
  let sent = 0
  const sign = (roles: string, claims: Asked['claims'] = {}) =>
    issuer.sign({ sub: 'visitor', [claim]: roles, ...claims }, { audience, seconds: TOKEN_SECONDS, now: clock.now() })
  /** Tokens by role. A signature costs more than most requests. */
  const tokens = new Map<string, { readonly until: number; readonly token: Promise<string> }>()
  const authorize = async ({ as: roles, claims, authorization }: Asked) => {
    if (authorization !== undefined) return { authorization }
    if (roles === undefined) return {}
    if (claims) return { authorization: `Bearer ${await sign(roles, claims)}` }
    const kept = tokens.get(roles)
    const isValid = kept && clock.now() < kept.until
    const one = isValid ? kept : { until: clock.now() + (TOKEN_SECONDS - 60) * 1000, token: sign(roles) }
    tokens.set(roles, one)
    return { authorization: `Bearer ${await one.token}` }
  }
  const send = async (method: string, address: string, asked: Asked): Promise<Visit> => {
    const { known, accept, body, text = body && JSON.stringify(body), type, key } = asked
    const contentType = type ?? (body && 'application/json')
    const headers = {
      ...(await authorize(asked)),
      ...(known !== undefined && { 'if-none-match': known }),
      ...(accept !== undefined && { accept }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    if (isAtRest && ++sent % AT_ONCE === 0) await clock.sleep(1_000)
    const isFile = address.startsWith('http')
    const request = new Request(isFile ? address : addresses.api + address, {
      ...{ method, headers, body: text === undefined ? null : Buffer.from(text) },
      redirect: 'manual',
    })
    const response = await (isFile ? network.aws(request) : network.api(request)).catch(() => undefined)
    const visit = {
      ...{ ...asked, method, address, at: clock.now(), status: response?.status, isAtRest, site },
      headers: Object.fromEntries(response?.headers ?? []),
      answer: (await response?.text().catch(() => undefined)) ?? '',
    }
    visits.push(visit)
    return visit
  }
  return {
    visits: visits as readonly Visit[],
    /** Expects answers without faults from now on. */
    rest: (): void => {
      isAtRest = true
    },
    get: (address: string, asked: Asked = {}) => send('GET', address, asked),
    post: (address: string, asked: Asked = {}) => send('POST', address, asked),
    remove: (address: string, asked: Asked = {}) => send('DELETE', address, asked),
  }
}

/** Returns the JSON of an answer; undefined for another answer, or another status. */
export function jsonOf<Body>({ status, answer }: Pick<Visit, 'status' | 'answer'>): Body | undefined {
  try {
    return status === 200 ? (JSON.parse(answer) as Body) : undefined
  } catch {
    return undefined
  }
}
