import type { Visit } from '../../visits/visitor.ts'
import type { Evidence } from '../evidence.ts'

interface Admission {
  readonly sessionId: string
  readonly token: string
}

/** The claims of a participant’s token. */
interface Claims {
  readonly scope: string
  readonly session_id: string
  readonly role: string
  readonly iat: number
  readonly exp: number
  readonly connection_data?: string
}

/** The role and the data that visitors ask for, by the path of the request. */
const ASKED = [
  { path: /^\/shows\/[^/]+\/tokens$/, role: 'subscriber', data: undefined },
  { path: /^\/public\/join$/, role: 'publisher', data: 'Ada' },
] as const
/** Validity of a token in seconds, unless the request has another. */
const SECONDS = 3_600

/** Checks the tokens that admit participants: they are for a session of a show, with the role and the data that were asked for. */
export function admittedParticipants({ visits, shows, now }: Pick<Evidence, 'visits' | 'shows' | 'now'>): string[] {
  const sessions = new Set(shows.map(({ state }) => state?.sessionId))
  return visits.flatMap((visit) => {
    const asked = ASKED.find(({ path }) => visit.method === 'POST' && path.test(visit.address))
    if (!asked || visit.status !== 200 || visit.at > now) return []
    const { sessionId, token } = JSON.parse(visit.answer) as Admission
    const { scope, session_id: session, role, iat, exp, connection_data: data } = claimsOf(token)
    const wrong = [
      ...(scope === 'session.connect' ? [] : ['scope']),
      ...(session === sessionId && sessions.has(session) ? [] : ['session']),
      ...(role === asked.role ? [] : ['role']),
      ...(data === asked.data ? [] : ['data']),
      ...(exp - iat === SECONDS && isNow(iat, visit) ? [] : ['validity']),
    ]
    return wrong.map((claim) => `${visit.address} issues a token with a wrong ${claim}`)
  })
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims

/** Seconds for which an answer may be under way. */
const UNDER_WAY = 60

const isNow = (iat: number, { at }: Visit) => Math.abs(iat * 1000 - at) <= UNDER_WAY * 1000
