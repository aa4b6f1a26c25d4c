import { headersFrom } from '../messages/headers.ts'
import type { Header, SipRequest, SipResponse } from '../messages/message.ts'
import { type ClientTransaction, cancelOf } from '../transactions/client.ts'
import { respondTo } from '../transactions/server.ts'
import { TIMEOUT } from '../transactions/timers.ts'
import { viaOf } from './dialog.ts'
import type { SessionTimer } from './session-timer.ts'
import { type CallParts, MAX_ATTEMPTS, type Wire } from './wire.ts'

/** Methods that this side takes inside a call. */
export const ALLOWED = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK'
/** Extensions that this side implements: RFC 3262 and RFC 4028. */
export const SUPPORTED = '100rel, timer'

export interface InvitationSettings {
  readonly uri: string
  /** Preloaded Route of an outbound proxy. */
  readonly routes: readonly string[]
  readonly offer: string
  /** Custom header fields. */
  readonly headers: readonly Header[]
}

export interface InvitationEvents {
  onProvisional(response: SipResponse, request: SipRequest): void
  /** Called for each 2xx, also for those of further dialogs and for retransmissions. */
  onSuccess(response: SipResponse, request: SipRequest): void
  /** Called once if the call is refused, times out, or is cancelled. */
  onRefused(response: SipResponse): void
}

/** Sends the INVITE of a call, again if it is challenged, and its CANCEL. */
export function sendInvitation(
  { clock, transactions }: Pick<CallParts, 'clock' | 'transactions'>,
  { wire, timer }: { readonly wire: Wire; readonly timer: SessionTimer },
  { uri, routes, offer, headers }: InvitationSettings,
  events: InvitationEvents,
): { cancel(): void } {
  const { local, link, digest } = wire
  let attempts = 0
  let transaction: ClientTransaction
  let isProceeding = false
  let isFinal = false
  let cancelling: 'no' | 'asked' | 'sent' = 'no'

  function send(): void {
    attempts++
    isProceeding = false
    const body = { method: 'INVITE', uri, body: offer }
    const request: SipRequest = {
      ...body,
      headers: [
        ...headersFrom({
          Via: viaOf(link, wire.branch()),
          'Max-Forwards': '70',
          Route: routes,
          From: local.from,
          To: `<${uri}>`,
          'Call-ID': local.callId,
          CSeq: `${++local.cseq} INVITE`,
          Contact: local.contact,
          Allow: ALLOWED,
          Supported: SUPPORTED,
        }),
        ...timer.offer(),
        ...(digest?.headersFor(body) ?? []),
        ...headers,
        { name: 'Content-Type', value: 'application/sdp' },
      ],
    }
    transaction = transactions.send(request, link, {
      onResponse: (response) => receive(response, request),
      onTimeout: () => refuse(respondTo(request, cancelling === 'no' ? 408 : 487, 'timeout')),
    })
  }

  function receive(response: SipResponse, request: SipRequest): void {
    const { status } = response
    if (status < 200) {
      isProceeding = true
      if (cancelling === 'asked') sendCancel()
      if (cancelling === 'no') events.onProvisional(response, request)
    } else if (status < 300) {
      isFinal = true
      events.onSuccess(response, request)
    } else if (cancelling === 'no' && attempts < MAX_ATTEMPTS && isRepeatable(response, request)) send()
    else refuse(response)
  }

  const isRepeatable = (response: SipResponse, request: SipRequest) =>
    response.status === 422
      ? timer.raise(response)
      : (response.status === 401 || response.status === 407) && digest?.challenge(response, request) === true

  function refuse(response: SipResponse): void {
    if (isFinal) return
    isFinal = true
    events.onRefused(response)
  }

  function sendCancel(): void {
    cancelling = 'sent'
    const { request } = transaction
    transactions.send(cancelOf(request), link, { onResponse() {}, onTimeout() {} })
    // A peer of RFC 2543 does not answer the INVITE then (9.1).
    clock.at(clock.now() + TIMEOUT, () => {
      if (isFinal) return
      transaction.abandon()
      refuse(respondTo(request, 487, 'cancelled'))
    })
  }

  send()
  return {
    /** Cancels the INVITE, once a provisional response allows it. A 2xx may still arrive. */
    cancel(): void {
      if (isFinal || cancelling !== 'no') return
      cancelling = 'asked'
      if (isProceeding) sendCancel()
    },
  }
}
