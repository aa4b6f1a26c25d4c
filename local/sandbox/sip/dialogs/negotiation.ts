import type { CallMedia, MediaDirection } from '../call-media.ts'
import { headerOf, headersFrom, parseCSeq } from '../messages/headers.ts'
import type { Header, SipRequest, SipResponse } from '../messages/message.ts'
import { respondTo, type ServerTransaction } from '../transactions/server.ts'
import type { Reply } from '../transport/link.ts'
import { type Dialog, refreshTarget } from './dialog.ts'
import { isHoldOffer } from './direction.ts'
import { ALLOWED, SUPPORTED } from './invitation.ts'
import type { SessionTimer } from './session-timer.ts'
import type { CallParts, Wire } from './wire.ts'

export interface NegotiationSettings {
  readonly wire: Wire
  readonly timer: SessionTimer
  readonly media: CallMedia
}

export interface NegotiationEvents {
  onHeld(isHeld: boolean): void
  /** Called if the dialog cannot continue. */
  onFailed(status: number, problem: string): void
}

/** Changes of a session by re-INVITE and UPDATE. One offer at a time is open in a dialog (RFC 3261, 14, and RFC 3311). */
export type Negotiation = ReturnType<typeof createNegotiation>

/** Creates the negotiation of one call. Offers of both sides that meet are refused with 491. */
export function createNegotiation(
  parts: Pick<CallParts, 'clock' | 'random' | 'log'>,
  { wire, timer, media }: NegotiationSettings,
  events: NegotiationEvents,
) {
  const { clock, random, log } = parts
  /** The offer that is not answered yet. The first INVITE of a call carries one. */
  let open: 'ours' | 'theirs' | undefined = 'ours'
  let wanted: 'sendrecv' | 'sendonly' = 'sendrecv'
  let isHeldByPeer = false
  let isHeldByUs = false
  let wasHeld = false
  let isOver = false
  /** The re-INVITE whose 2xx awaits the ACK. */
  let confirming: { readonly transaction: ServerTransaction; readonly awaitsAnswer: boolean } | undefined

  function announce(): void {
    const isHeld = isHeldByPeer || isHeldByUs
    if (isHeld === wasHeld || isOver) return
    wasHeld = isHeld
    events.onHeld(isHeld)
  }

  const directionNow = (): MediaDirection =>
    wanted === 'sendonly' ? (isHeldByPeer ? 'inactive' : 'sendonly') : 'sendrecv'

  /** Offers until the peer has answered, and retries an offer that met the peer's (14.1: 2.1 to 4 seconds later). */
  async function reinvite(dialog: Dialog): Promise<boolean> {
    while (!isOver) {
      if (open === undefined && !confirming) {
        open = 'ours'
        const status = await offer(dialog).finally(() => {
          open = undefined
        })
        if (status < 300) return true
        if (status === 408 || status === 481) events.onFailed(status, 'The peer has lost the call.')
        if (status !== 491 && status !== 500) return false
      }
      await clock.sleep(2_100 + 10 * (random(1).readUInt8() % 191))
    }
    return false
  }

  async function offer(dialog: Dialog): Promise<number> {
    const headers = [
      ...headersFrom({ Allow: ALLOWED, Supported: SUPPORTED }),
      ...timer.offer(true),
      { name: 'Content-Type', value: 'application/sdp' },
    ]
    const asked = { method: 'INVITE', headers, body: media.reoffer(directionNow()) }
    const response = await wire.ask(dialog, asked, (request) => void wire.acknowledge(dialog, request))
    if (response.status === 422 && timer.raise(response)) return 491
    if (response.status < 300) {
      timer.agreed(response)
      refreshTarget(dialog, response)
      await media.accept(response.body).catch(({ message }: Error) => events.onFailed(488, message))
    }
    return response.status
  }

  /** Answers a re-INVITE or UPDATE of the peer. */
  async function answer(dialog: Dialog, transaction: ServerTransaction, reply: Reply): Promise<void> {
    const { request } = transaction
    const isInvite = request.method === 'INVITE'
    const respond = (status: number, headers: readonly Header[] = [], body = '') =>
      transaction.respond(respondTo(request, status, 'peer', { headers, body, reply }), () =>
        events.onFailed(408, 'The peer did not confirm its re-INVITE.'),
      )
    const hasOffer = request.body !== ''
    if (isInvite || hasOffer) {
      if (open === 'ours') return respond(491)
      if (open === 'theirs' || confirming)
        return respond(500, headersFrom({ 'Retry-After': String(random(1).readUInt8() % 11) }))
    }
    const session = timer.answer(request)
    if (!session) return respond(422, headersFrom({ 'Min-SE': '90' }))
    refreshTarget(dialog, request)
    const headers = [...headersFrom({ Contact: wire.local.contact, Allow: ALLOWED, Supported: SUPPORTED }), ...session]
    if (!isInvite && !hasOffer) return respond(200, headers)
    const withSdp = [...headers, { name: 'Content-Type', value: 'application/sdp' }]
    open = 'theirs'
    try {
      const body = hasOffer ? await media.answer(request.body) : media.reoffer(directionNow())
      if (isInvite && !transaction.isAnswered) confirming = { transaction, awaitsAnswer: !hasOffer }
      respond(200, withSdp, body)
      if (hasOffer) isHeldByPeer = isHoldOffer(request.body)
    } catch (error) {
      const { message } = error as Error
      log(`An offer of the peer was refused: ${message}`)
      respond(488, headersFrom({ Warning: `399 showrunner ${JSON.stringify(message)}` })) // a quoted string
    } finally {
      if (!confirming?.awaitsAnswer) open = undefined
    }
    announce()
  }

  return {
    reinvite,
    answer,
    /** Declares that the first offer of the call is answered. */
    settle: () => {
      open = undefined
    },
    /** Puts the peer on hold, or takes the call up again. Returns false if the peer refuses. */
    async hold(dialog: Dialog, isHeld: boolean): Promise<boolean> {
      const before = wanted
      wanted = isHeld ? 'sendonly' : 'sendrecv'
      const isAccepted = await reinvite(dialog)
      if (!isAccepted) wanted = before
      isHeldByUs = wanted === 'sendonly'
      announce()
      return isAccepted
    },
    /** Takes the ACK of the peer's re-INVITE, which carries the answer if this side offered. */
    async confirm(ack: SipRequest): Promise<void> {
      const own = confirming
      if (!own || numberOf(ack) !== numberOf(own.transaction.request)) return
      own.transaction.confirm()
      confirming = undefined
      if (!own.awaitsAnswer) return
      open = undefined
      if (!ack.body) return events.onFailed(488, 'The ACK has no answer.')
      await media.accept(ack.body).catch(({ message }: Error) => events.onFailed(488, message))
    },
    /** Refreshes the session by UPDATE, or by re-INVITE if the peer does not take UPDATE. */
    async refresh(dialog: Dialog, takesUpdate: boolean): Promise<void> {
      if (!takesUpdate) return void (await reinvite(dialog))
      const headers = [...headersFrom({ Supported: SUPPORTED }), ...timer.offer(true)]
      const response = await wire.ask(dialog, { method: 'UPDATE', headers })
      if (response.status < 300) return timer.agreed(response)
      if (response.status === 408 || response.status === 481)
        events.onFailed(response.status, 'The peer has lost the call.')
      else if (response.status === 405 || response.status === 501) await reinvite(dialog)
    },
    close: () => {
      isOver = true
    },
  }
}

const numberOf = (message: SipRequest | SipResponse) => parseCSeq(headerOf(message, 'CSeq') ?? '').number
