import type { Clock, Timer } from '../../../../lib/clock.ts'
import { fieldsOf, headerOf, headersFrom, parseVia, tagOf, valuesOf } from '../messages/headers.ts'
import { type Header, reasonOf, type SipRequest, type SipResponse } from '../messages/message.ts'
import { writeMessage } from '../messages/write-message.ts'
import type { Reply } from '../transport/link.ts'
import { repeat, T2, T4, TIMEOUT } from './timers.ts'

/** Answers one request of a peer. */
export interface ServerTransaction {
  readonly request: SipRequest
  /** Sends a response. Further final responses are ignored. `onUnconfirmed` is called if no ACK arrives to a 2xx. */
  respond(response: SipResponse, onUnconfirmed?: () => void): void
  readonly isAnswered: boolean
  /** Sends the last response again. */
  repeat(): void
  /** Ends the retransmissions: the ACK has arrived. */
  confirm(): void
  /** Ends the transaction without an event. */
  abandon(): void
}

/** Starts the transaction of a request (RFC 3261, 17.2, with the 2xx retransmissions of 13.3.1.4). */
export function startServerTransaction(
  clock: Clock,
  request: SipRequest,
  reply: Reply,
  onDone: () => void,
): ServerTransaction {
  const isInvite = request.method === 'INVITE'
  const isReliable = reply.kind !== 'udp'
  let last: SipResponse | undefined
  let isAnswered = false
  let retransmission: Timer | undefined
  let timeout: Timer | undefined
  const send = () => last && sendResponse(request, last, reply)
  const end = () => {
    retransmission?.cancel()
    timeout?.cancel()
    onDone()
  }
  const endIn = (ms: number) => {
    retransmission?.cancel()
    timeout?.cancel()
    timeout = clock.at(clock.now() + ms, end)
  }
  return {
    request,
    get isAnswered() {
      return isAnswered
    },
    respond(response, onUnconfirmed) {
      if (isAnswered) return
      last = response
      send()
      if (response.status < 200) return
      isAnswered = true
      if (!isInvite) return endIn(isReliable ? 0 : TIMEOUT)
      // A 2xx is sent again over each transport, since a proxy may change to UDP.
      if (response.status < 300 || !isReliable) retransmission = repeat(clock, send, T2)
      timeout = clock.at(clock.now() + TIMEOUT, () => {
        end()
        if (response.status < 300) onUnconfirmed?.()
      })
    },
    repeat: () => void send(),
    confirm: () => void (isAnswered && endIn(isReliable ? 0 : T4)),
    abandon: end,
  }
}

/** Sends a response as its Via says (18.2.2): over UDP to the port that `rport` asks for (RFC 3581), else to sent-by. */
export function sendResponse(request: SipRequest, response: SipResponse, reply: Reply): void {
  const { port, parameters } = parseVia(valuesOf(request, 'Via')[0] ?? '')
  const to = parameters.has('rport') ? reply.port : (port ?? 5060)
  reply.send(writeMessage(response), to)
}

/**
 * Creates a response with the fields that it copies from the request (8.2.6).
 * @param tag tag of To if the request has none
 */
export function respondTo(
  request: SipRequest,
  status: number,
  tag: string,
  extra: { readonly headers?: readonly Header[]; readonly body?: string; readonly reply?: Reply } = {},
): SipResponse {
  const to = headerOf(request, 'To') ?? ''
  const withTag = status === 100 || hasTag(to) ? to : `${to};tag=${tag}`
  const copied = headersFrom({
    Via: viasOf(request, extra.reply),
    From: headerOf(request, 'From'),
    To: withTag,
    'Call-ID': headerOf(request, 'Call-ID'),
    CSeq: headerOf(request, 'CSeq'),
    'Record-Route': status < 300 ? fieldsOf(request, 'Record-Route') : undefined,
  })
  return { status, reason: reasonOf(status), headers: [...copied, ...(extra.headers ?? [])], body: extra.body ?? '' }
}

function hasTag(to: string): boolean {
  try {
    return tagOf(to) !== undefined
  } catch {
    return false // the request is refused since To is malformed
  }
}

/** Adds `received` and the value of `rport` to the topmost Via. */
function viasOf(request: SipRequest, reply: Reply | undefined): string[] {
  const [top = '', ...rest] = fieldsOf(request, 'Via')
  if (!reply) return [top, ...rest]
  const isAsked = /;\s*rport\s*(?=[;,]|$)/i.test(top)
  const ported = top.replace(/;\s*rport\s*(?=[;,]|$)/i, `;rport=${reply.port};received=${reply.host}`)
  return [isAsked ? ported : top, ...rest]
}
