import type { Clock, Timer } from '../../../../lib/clock.ts'
import { headerOf, headersFrom, parseCSeq, valuesOf } from '../messages/headers.ts'
import type { SipRequest, SipResponse } from '../messages/message.ts'
import { writeMessage } from '../messages/write-message.ts'
import type { Link } from '../transport/link.ts'
import { repeat, T2, T4, TIMEOUT } from './timers.ts'

export interface ClientEvents {
  /** Called for each provisional response, the final one, and further 2xx responses to an INVITE. */
  onResponse(response: SipResponse): void
  /** Called if no final response, or to an INVITE no response, arrives in 32 seconds (timers B and F). */
  onTimeout(): void
}

export interface ClientTransaction {
  readonly request: SipRequest
  readonly link: Link
  receive(response: SipResponse): void
  /** Ends the transaction without an event. */
  abandon(): void
}

/** Sends a request and its retransmissions (RFC 3261, 17.1, with RFC 6026). `onDone` is called when it takes no more. */
export function startClientTransaction(
  clock: Clock,
  { request, link }: Pick<ClientTransaction, 'request' | 'link'>,
  { onResponse, onTimeout, onDone }: ClientEvents & { onDone(): void },
): ClientTransaction {
  const isInvite = request.method === 'INVITE'
  const isReliable = link.kind !== 'udp'
  let state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'done' = 'calling'
  const send = () => link.send(writeMessage(request))
  const end = () => {
    if (state === 'done') return
    state = 'done'
    retransmission?.cancel()
    timeout.cancel()
    onDone()
  }
  const endIn = (ms: number) => {
    retransmission?.cancel()
    timeout.cancel()
    if (ms === 0) end()
    else timeout = clock.at(clock.now() + ms, end)
  }
  let timeout: Timer = clock.at(clock.now() + TIMEOUT, () => {
    end()
    onTimeout()
  })
  const retransmission = isReliable ? undefined : repeat(clock, send, isInvite ? undefined : T2)
  send()

  function receive(response: SipResponse): void {
    const { status } = response
    if (state === 'completed') {
      if (isInvite && status >= 300) link.send(writeMessage(ackOf(request, response)))
    } else if (state === 'accepted') {
      if (status >= 200 && status < 300) onResponse(response)
    } else if (status < 200) {
      // A provisional response ends the retransmissions of an INVITE only, and its timer B.
      if (isInvite && state === 'calling') {
        retransmission?.cancel()
        timeout.cancel()
      }
      state = 'proceeding'
      onResponse(response)
    } else {
      if (isInvite && status < 300) {
        state = 'accepted'
        endIn(TIMEOUT)
      } else {
        state = 'completed'
        if (isInvite) link.send(writeMessage(ackOf(request, response)))
        endIn(isReliable ? 0 : isInvite ? TIMEOUT : T4)
      }
      onResponse(response)
    }
  }
  return { request, link, receive: (response) => void (state !== 'done' && receive(response)), abandon: end }
}

/** The ACK to a refusal belongs to the INVITE's transaction (17.1.1.3). An ACK to a 2xx does not. */
function ackOf(invite: SipRequest, response: SipResponse): SipRequest {
  return { ...followUp(invite, 'ACK'), headers: replaced(followUp(invite, 'ACK'), 'To', headerOf(response, 'To')) }
}

/** Creates the CANCEL of an INVITE: the same branch, route and tags (9.1). */
export const cancelOf = (invite: SipRequest): SipRequest => followUp(invite, 'CANCEL')

function followUp(invite: SipRequest, method: 'ACK' | 'CANCEL'): SipRequest {
  const { number } = parseCSeq(headerOf(invite, 'CSeq') ?? '')
  const headers = headersFrom({
    Via: valuesOf(invite, 'Via')[0],
    'Max-Forwards': '70',
    From: headerOf(invite, 'From'),
    To: headerOf(invite, 'To'),
    'Call-ID': headerOf(invite, 'Call-ID'),
    CSeq: `${number} ${method}`,
    Route: valuesOf(invite, 'Route'),
  })
  return { method, uri: invite.uri, headers, body: '' }
}

const replaced = ({ headers }: SipRequest, name: string, value: string | undefined) =>
  headers.map((header) => (header.name === name && value !== undefined ? { name, value } : header))
