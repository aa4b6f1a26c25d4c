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
}

export interface Asked {
  /** Roles of the token; none for a request without a token. */
  readonly as?: string | undefined
  /** `If-None-Match`. */
  readonly known?: string | undefined
  readonly accept?: string | undefined
  /** A body, which is sent as JSON. */
  readonly body?: object | undefined
  /** The documented status, where the situation decides it. */
  readonly expects?: number | undefined
}

export interface VisitorOptions {
  readonly network: Pick<Network, 'api' | 'aws'>
  readonly issuer: Issuer
  readonly clock: Clock
  /** The audience that the API requires of tokens, and the claim that names roles. */
  readonly token: { readonly audience: string; readonly claim: string }
}

/** Validity of a token. */
const TOKEN_SECONDS = 3_600

/** A visitor of the API, of watch pages and of their files. */
export type Visitor = ReturnType<typeof createVisitor>

/** Creates a visitor, whose visits are noted. It makes no request again. */
export function createVisitor({ network, issuer, clock, token: { audience, claim } }: VisitorOptions) {
  const visits: Visit[] = []
  let isAtRest = false
  const sign = (roles: string) =>
    issuer.sign({ sub: 'visitor', [claim]: roles }, { audience, seconds: TOKEN_SECONDS, now: clock.now() })
  /** Tokens by role. A signature costs more than most requests. */
  const tokens = new Map<string, { readonly until: number; readonly token: Promise<string> }>()
  const authorize = async (roles: string | undefined) => {
    if (roles === undefined) return {}
    const kept = tokens.get(roles)
    const isValid = kept && clock.now() < kept.until
    const one = isValid ? kept : { until: clock.now() + (TOKEN_SECONDS - 60) * 1000, token: sign(roles) }
    tokens.set(roles, one)
    return { authorization: `Bearer ${await one.token}` }
  }
  const send = async (method: string, address: string, asked: Asked): Promise<Visit> => {
    const { as, known, accept, body } = asked
    const headers = {
      ...(await authorize(as)),
      ...(known !== undefined && { 'if-none-match': known }),
      ...(accept !== undefined && { accept }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const isFile = address.startsWith('http')
    const request = new Request(isFile ? address : addresses.api + address, {
      ...{ method, headers, body: body ? JSON.stringify(body) : null },
      redirect: 'manual',
    })
    const response = await (isFile ? network.aws(request) : network.api(request)).catch(() => undefined)
    const visit = {
      ...{ ...asked, method, address, at: clock.now(), status: response?.status, isAtRest },
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
