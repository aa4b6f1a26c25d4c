import { EventEmitter } from 'node:events'
import type { CallMedia } from '../call-media.ts'
import { headerOf, headersFrom, lists, parseCSeq, tagOf } from '../messages/headers.ts'
import type { Header, SipRequest, SipResponse } from '../messages/message.ts'
import type { ServerTransaction } from '../transactions/server.ts'
import type { Reply } from '../transport/link.ts'
import { type Dialog, dialogOf, refreshTarget, takeCSeq } from './dialog.ts'
import { type InvitationSettings, sendInvitation } from './invitation.ts'
import { createNegotiation } from './negotiation.ts'
import { answerInDialog } from './peer-requests.ts'
import { createSessionTimer } from './session-timer.ts'
import { type CallParts, createWire, type WireSettings } from './wire.ts'

/** The end of a call: a SIP response code, or one of the codes 700 and 703 of the platform. */
export interface CallEnd {
  readonly code: number
  readonly message: string
}

interface CallEvents {
  /** The peer rings, or reports progress. */
  ringing: []
  /** Media of the peer arrives before it answers. */
  earlyMedia: []
  answered: []
  held: []
  resumed: []
  /** Emitted once. The media is closed. */
  ended: [CallEnd]
}

/** A call that this side makes. */
export interface Call {
  on<Name extends keyof CallEvents>(event: Name, listener: (...values: CallEvents[Name]) => void): void
  /** Cancels the call, or ends it. */
  hangup(): void
  /** Puts the peer on hold. Resolves to false if the peer refuses. */
  hold(): Promise<boolean>
  resume(): Promise<boolean>
}

/** A call as the user agent drives it. */
export interface CallInside extends Call {
  receive(transaction: ServerTransaction, reply: Reply): void
  acknowledge(ack: SipRequest): void
}

export interface CallSettings extends WireSettings, Omit<InvitationSettings, 'offer'> {
  readonly media: CallMedia
  readonly emitter: CallEmitter
  /** Called when the call takes no more messages. */
  readonly onDone: () => void
}

export type CallEmitter = EventEmitter<CallEvents>

/** Creates the emitter of a call's events. */
export const createCallEmitter = (): CallEmitter => new EventEmitter()

/** Starts a call: sends the INVITE and follows the call to its end. */
export function startCall(parts: CallParts, settings: CallSettings, offer: string): Omit<CallInside, 'on'> {
  const { media, emitter, onDone } = settings
  const wire = createWire(parts, settings)
  /** Early and confirmed dialogs of the INVITE, by the peer's tag: a proxy may have forked it. */
  const dialogs = new Map<string, Dialog>()
  /** The dialog whose 2xx was first. */
  let confirmed: Dialog | undefined
  let isHangingUp = false
  let isEnded = false
  let hasRung = false
  let takesUpdate = false
  /** SDP that was applied, so that the same answer in a 183 and a 200 is applied once. */
  let accepted: string | undefined
  let accepting: Promise<unknown> = Promise.resolve()

  const timer = createSessionTimer(parts.clock, {
    refresh: () => confirmed && void negotiation.refresh(confirmed, takesUpdate),
    expired: () => fail({ code: 703, message: 'Unexpected Clearing' }, 408, 'Session timer expired'),
  })
  const negotiation = createNegotiation(
    parts,
    { wire, timer, media },
    {
      onHeld: (isHeld) => void emitter.emit(isHeld ? 'held' : 'resumed'),
      onFailed: (status, problem) => fail({ code: 703, message: 'Unexpected Clearing' }, status, problem),
    },
  )
  const invitation = sendInvitation(
    parts,
    { wire, timer },
    { ...settings, offer },
    {
      onProvisional,
      onSuccess,
      onRefused({ status, reason }) {
        // A call that this side gave up ends with the same code if the peer answers otherwise.
        end(isHangingUp ? { code: 487, message: 'Request Terminated' } : { code: status, message: reason })
        leave()
      },
    },
  )

  function end(reason: CallEnd): void {
    if (isEnded) return
    isEnded = true
    timer.stop()
    negotiation.close()
    media.close()
    emitter.emit('ended', reason)
  }

  function leave(): void {
    onDone()
    wire.release()
  }

  /** Ends the call with a BYE that gives a reason (RFC 3326). */
  function fail(reason: CallEnd, status: number, problem: string): void {
    if (isEnded) return
    parts.log(`The call ${wire.local.callId} ends: ${problem}`)
    end(reason)
    if (confirmed) void sendBye(confirmed, headersFrom({ Reason: `SIP;cause=${status}` })).then(leave)
    else invitation.cancel()
  }

  async function sendBye(dialog: Dialog, headers: readonly Header[] = []): Promise<void> {
    await wire.bye(dialog, headers).catch(({ message }: Error) => parts.log(`A BYE was not sent: ${message}`))
  }

  function accept(sdp: string): Promise<unknown> {
    if (sdp === accepted) return accepting
    accepted = sdp
    accepting = accepting.then(() => (isEnded ? undefined : media.accept(sdp)))
    return accepting
  }

  function onProvisional(response: SipResponse, request: SipRequest): void {
    if (response.status === 100) return
    const dialog = earlyDialogOf(response)
    const isReliable = lists(response, 'Require', '100rel')
    if (isReliable && !(dialog && acknowledgeProvisional(dialog, response, request))) return
    if (!hasRung) emitter.emit('ringing')
    hasRung = true
    if (!response.body || !dialog || accepted !== undefined) return
    accept(response.body).then(
      () => {
        if (isEnded || confirmed) return
        if (isReliable) negotiation.settle()
        emitter.emit('earlyMedia')
      },
      ({ message }: Error) => fail({ code: 488, message: 'Not Acceptable Here' }, 488, message),
    )
  }

  function earlyDialogOf(response: SipResponse): Dialog | undefined {
    const found = dialogOf(response)
    const known = found && dialogs.get(found.remoteTag)
    if (found && !known) dialogs.set(found.remoteTag, found)
    return known ?? found
  }

  /** Sends the PRACK of RFC 3262. Returns false for a response that arrived before, or before an earlier one. */
  function acknowledgeProvisional(dialog: Dialog, response: SipResponse, request: SipRequest): boolean {
    const number = Number(headerOf(response, 'RSeq'))
    if (!Number.isInteger(number) || (dialog.reliable !== undefined && number !== dialog.reliable + 1)) return false
    dialog.reliable = number
    const { number: cseq } = parseCSeq(headerOf(request, 'CSeq') ?? '')
    wire
      .ask(dialog, { method: 'PRACK', headers: headersFrom({ RAck: `${number} ${cseq} INVITE` }) })
      .catch(({ message }: Error) => parts.log(`A PRACK was not sent: ${message}`))
    return true
  }

  function onSuccess(response: SipResponse, request: SipRequest): void {
    const found = dialogOf(response, request.uri)
    const known = dialogs.get(found.remoteTag)
    // The routes of the 2xx are those of the dialog, and not those of an earlier response (13.2.2.4).
    const dialog = Object.assign(known ?? found, { routes: found.routes, to: found.to })
    dialogs.set(found.remoteTag, dialog)
    const isFirst = confirmed === undefined
    const isFurther = confirmed !== undefined && confirmed !== dialog
    if (isFirst) confirmed = dialog
    refreshTarget(dialog, response)
    void wire.acknowledge(dialog, request).then(() => {
      if (isFurther) void sendBye(dialog)
      else if (isFirst) return answered(dialog, response)
    })
  }

  async function answered(dialog: Dialog, response: SipResponse): Promise<void> {
    if (isEnded || isHangingUp) {
      end({ code: 487, message: 'Request Terminated' })
      return sendBye(dialog).then(leave)
    }
    timer.agreed(response)
    takesUpdate = lists(response, 'Allow', 'UPDATE')
    try {
      if (!response.body && accepted === undefined) throw new Error('The answer has no SDP.')
      await (response.body ? accept(response.body) : accepting)
    } catch (error) {
      return fail({ code: 488, message: 'Not Acceptable Here' }, 488, (error as Error).message)
    }
    negotiation.settle()
    if (!isEnded) emitter.emit('answered')
  }

  return {
    hangup(): void {
      if (isEnded || isHangingUp) return
      isHangingUp = true
      if (confirmed) {
        end({ code: 700, message: 'Normal Clearing' })
        void sendBye(confirmed).then(leave)
      } else invitation.cancel()
    },
    hold: async () => confirmed !== undefined && !isEnded && negotiation.hold(confirmed, true),
    resume: async () => confirmed !== undefined && !isEnded && negotiation.hold(confirmed, false),
    receive(transaction, reply): void {
      const { request } = transaction
      const dialog = dialogs.get(tagOf(headerOf(request, 'From')) ?? '')
      const isInOrder = dialog && takeCSeq(dialog, parseCSeq(headerOf(request, 'CSeq') ?? '').number)
      const status = answerInDialog(transaction, reply, { dialog, isInOrder, isEnded })
      if (status !== undefined || !dialog) return
      if (request.method !== 'BYE') return void negotiation.answer(dialog, transaction, reply)
      if (dialog !== confirmed) return
      end({ code: 700, message: 'Normal Clearing' })
      leave()
    },
    acknowledge: (ack) => void negotiation.confirm(ack),
  }
}
