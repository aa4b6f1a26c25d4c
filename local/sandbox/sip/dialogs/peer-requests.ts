import { headerOf, headersFrom, tagOf, valuesOf } from '../messages/headers.ts'
import type { Header, SipRequest } from '../messages/message.ts'
import { respondTo, type ServerTransaction, sendResponse } from '../transactions/server.ts'
import type { Reply } from '../transport/link.ts'
import type { Dialog } from './dialog.ts'
import { ALLOWED, SUPPORTED } from './invitation.ts'

/** Methods of RFC 3261 and its extensions that this side knows and does not take. */
const UNTAKEN = ['REGISTER', 'INFO', 'REFER', 'SUBSCRIBE', 'NOTIFY', 'MESSAGE', 'PUBLISH']

/** Types of an Accept field that include SDP. */
const SDP_TYPES = ['application/sdp', 'application/*', '*/*']

const capabilities = headersFrom({ Allow: ALLOWED, Supported: SUPPORTED, Accept: 'application/sdp' })

/** Returns the refusal of a request whose method, extensions or body this side does not take (RFC 3261, 8.2). */
export function refusalOf(request: SipRequest): { status: number; headers: readonly Header[] } | undefined {
  const { method } = request
  if (UNTAKEN.includes(method)) return { status: 405, headers: headersFrom({ Allow: ALLOWED }) }
  if (!ALLOWED.split(', ').includes(method)) return { status: 501, headers: headersFrom({ Allow: ALLOWED }) }
  const supported = SUPPORTED.split(', ')
  const missing = valuesOf(request, 'Require').filter((each) => each && !supported.includes(each.toLowerCase()))
  if (missing.length > 0) return { status: 420, headers: headersFrom({ Unsupported: missing.join(', ') }) }
  const type = headerOf(request, 'Content-Type') ?? ''
  const isSdp = /^application\s*\/\s*sdp\s*(;|$)/i.test(type) && !headerOf(request, 'Content-Encoding')
  const carriesSdp = method === 'INVITE' || method === 'UPDATE'
  if (carriesSdp && request.body && !isSdp)
    return { status: 415, headers: headersFrom({ Accept: 'application/sdp', 'Accept-Encoding': 'identity' }) }
  const accepted = valuesOf(request, 'Accept').map((each) => each.toLowerCase().replace(/\s*;.*$/s, ''))
  if (carriesSdp && accepted.length > 0 && !accepted.some((each) => SDP_TYPES.includes(each)))
    return { status: 406, headers: headersFrom({ Accept: 'application/sdp' }) }
  return undefined
}

/**
 * Answers a request inside a call. Returns the status, or undefined for a re-INVITE and UPDATE, which the negotiation
 * answers, and a BYE, which is answered 200.
 */
export function answerInDialog(
  transaction: ServerTransaction,
  reply: Reply,
  call: { readonly dialog: Dialog | undefined; readonly isInOrder: boolean | undefined; readonly isEnded: boolean },
): number | undefined {
  const { request } = transaction
  const respond = (status: number, headers: readonly Header[] = []): number => {
    transaction.respond(respondTo(request, status, 'peer', { headers, reply }))
    return status
  }
  if (!call.dialog) return respond(481)
  if (!call.isInOrder) return respond(500)
  const refusal = refusalOf(request)
  if (refusal) return respond(refusal.status, refusal.headers)
  if (request.method === 'OPTIONS') return respond(200, capabilities)
  if (request.method === 'BYE') {
    respond(200)
    return undefined
  }
  // This side sends no reliable provisional responses, and an ended call takes no changes.
  if (call.isEnded || request.method === 'PRACK') return respond(481)
  return undefined
}

/** Answers a request outside of calls: OPTIONS is answered, and a call to this side is refused. */
export function answerOutside(request: SipRequest, reply: Reply, tag: string): void {
  const respond = (status: number, headers: readonly Header[] = []) =>
    sendResponse(request, respondTo(request, status, tag, { headers, reply }), reply)
  const isOfUnknownCall = tagOf(headerOf(request, 'To')) !== undefined
  const refusal = refusalOf(request)
  if (isOfUnknownCall) respond(481)
  else if (refusal) respond(refusal.status, refusal.headers)
  else if (request.method === 'OPTIONS') respond(200, capabilities)
  else respond(request.method === 'INVITE' ? 403 : 481)
}
