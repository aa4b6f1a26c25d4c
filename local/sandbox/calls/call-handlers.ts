import type { callOperations } from '../../../lib/platform/contract/calls.ts'
import type { Handlers } from '../handler.ts'
import { mayPublish, participantIdentityOf, readClientToken } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import { findConnection, findSession } from '../sessions/find-session.ts'
import type { Store } from '../state/store.ts'
import type { Calls } from './calls.ts'
import type { Dtmf } from './dtmf.ts'
import { NEEDS_REAL_TIME, type Phones } from './phones.ts'

interface Parts {
  store: Store
  now: () => number
  calls: Calls
  dtmf: Dtmf
  phones: Pick<Phones, 'reaches' | 'needsRealTime'>
}

export const callHandlers = ({ store, now, calls, dtmf, phones }: Parts): Handlers<keyof typeof callOperations> => ({
  dial({ apiKey, body: { sessionId, token, sip } }, { project }) {
    const session = findSession(store, apiKey, sessionId)
    if (!session.routed) throw new Refusal(409, 'The session is relayed: only a routed one can be dialled out of.')
    const { claims, problem } = readClientToken(token, { project, sessionId, now: now() })
    if (!claims) throw new Refusal(400, problem)
    if (!mayPublish(claims)) throw new Refusal(400, 'The client token’s role must not be subscriber: a call publishes.')
    if (phones.needsRealTime && phones.reaches(sip.uri)) throw new Refusal(409, NEEDS_REAL_TIME)
    const { headers = {}, ...invite } = sip
    const call = calls.dial(session, { ...invite, headers }, participantIdentityOf(claims))
    const { id, connectionId, streamId } = call
    return { id, connectionId, streamId }
  },
  playDtmfToSession({ apiKey, sessionId, body }) {
    const session = findSession(store, apiKey, sessionId)
    for (const { id } of calls.running({ sessionId: session.id })) dtmf.play(id, body.digits)
    return undefined
  },
  playDtmfToConnection({ apiKey, sessionId, connectionId, body }) {
    const connection = findConnection(store, findSession(store, apiKey, sessionId), connectionId)
    for (const { id } of calls.running({ connectionId: connection.id })) dtmf.play(id, body.digits)
    return undefined
  },
})
