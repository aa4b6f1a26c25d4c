import type { Clock } from '../../../../lib/clock.ts'
import { headerOf, parseCSeq, parseVia, tagOf, valuesOf } from '../messages/headers.ts'
import { isRequest, type SipMessage, type SipRequest, type SipResponse } from '../messages/message.ts'
import { writeMessage } from '../messages/write-message.ts'
import type { Link, Reply } from '../transport/link.ts'
import { type ClientEvents, type ClientTransaction, startClientTransaction } from './client.ts'
import { respondTo, type ServerTransaction, startServerTransaction } from './server.ts'

export interface TransactionEvents {
  /** Returns true for a request inside a call. */
  isOfCall(request: SipRequest): boolean
  /** Called with each request outside of calls, also a repeated one. It has no transaction, so that a flood leaves nothing. */
  onStray(request: SipRequest, reply: Reply): void
  /** Called once for each other request that is not a retransmission, an ACK or a CANCEL. */
  onRequest(transaction: ServerTransaction, reply: Reply): void
  /** Called for an ACK to a 2xx response, which is not part of a transaction. */
  onAck(request: SipRequest): void
  /** Called for a CANCEL of an INVITE that is not answered yet. */
  onCancel(transaction: ServerTransaction): void
}

/** Transactions by their branch. */
export type Transactions = ReturnType<typeof createTransactions>

/** Creates the transaction layer: it matches messages by branch and sends retransmissions. */
export function createTransactions(clock: Clock, tag: () => string, events: TransactionEvents) {
  const clients = new Map<string, ClientTransaction>()
  const servers = new Map<string, ServerTransaction>()

  function send(request: SipRequest, link: Link, on: ClientEvents): ClientTransaction {
    const key = clientKey(request)
    const transaction = startClientTransaction(clock, { request, link }, { ...on, onDone: () => clients.delete(key) })
    clients.set(key, transaction)
    return transaction
  }

  function receiveRequest(request: SipRequest, reply: Reply): void {
    const key = serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method)
    const known = servers.get(key)
    if (request.method === 'ACK') {
      if (known) known.confirm()
      else events.onAck(request)
      return
    }
    if (known) {
      known.repeat()
      return
    }
    if (!events.isOfCall(request)) {
      events.onStray(request, reply)
      return
    }
    const transaction = startServerTransaction(clock, request, reply, () => servers.delete(key))
    servers.set(key, transaction)
    if (request.method !== 'CANCEL') {
      events.onRequest(transaction, reply)
      return
    }
    const invite = servers.get(serverKey(request, 'INVITE'))
    transaction.respond(respondTo(request, invite ? 200 : 481, tag(), { reply }))
    if (invite && !invite.isAnswered) events.onCancel(invite)
  }

  return {
    send,
    /** Sends an ACK to a 2xx, which is not answered. */
    sendAck: (ack: SipRequest, link: Link) => link.send(writeMessage(ack)),
    receive(message: SipMessage, reply: Reply): void {
      if (isRequest(message)) receiveRequest(message, reply)
      // A response with further hops is not for this side (8.1.3.3).
      else if (valuesOf(message, 'Via').length === 1) clients.get(clientKey(message))?.receive(message)
    },
    /** Ends the client transactions of a link whose connection ended, as if they had timed out. */
    lose(link: Link): void {
      for (const client of [...clients.values()]) if (client.link === link) client.receive(lost(client.request))
    },
    close(): void {
      for (const transaction of [...clients.values(), ...servers.values()]) transaction.abandon()
    },
  }
}

const branchOf = (message: SipMessage) => parseVia(valuesOf(message, 'Via')[0] ?? '')

const clientKey = (message: SipMessage) =>
  `${branchOf(message).parameters.get('branch')} ${parseCSeq(headerOf(message, 'CSeq') ?? '').method}`

/** Matches as 17.2.3: by branch, sent-by and method; a branch of RFC 2543 by the fields that it lists. */
function serverKey(request: SipRequest, method: string): string {
  const { host, port, parameters } = branchOf(request)
  const branch = parameters.get('branch')
  if (branch?.startsWith('z9hG4bK')) return `${branch} ${host} ${port} ${method}`
  const { number } = parseCSeq(headerOf(request, 'CSeq') ?? '')
  return [
    request.uri,
    tagOf(headerOf(request, 'From')),
    headerOf(request, 'Call-ID'),
    number,
    host,
    port,
    method,
  ].join()
}

/** A transport error counts as 503 (8.1.3.1). */
const lost = (request: SipRequest): SipResponse => respondTo(request, 503, 'lost')
