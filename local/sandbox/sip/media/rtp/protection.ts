import type { MediaSockets } from '../media-sockets.ts'
import type { RtpAgreement } from '../sdp/negotiation.ts'
import { type Association, createAssociation } from './association.ts'
import { type Cipher, CLOSED, PLAIN } from './cipher.ts'
import { createSrtpProtector, createSrtpReceiver, type SrtpProtector } from './srtp.ts'

/** Protects the packets of one stream as was agreed last: not at all, or by SRTP. */
export interface Protection {
  agree(agreement: RtpAgreement): void
  readonly sent: Cipher
  readonly received: Cipher
  /** Returns false while the keys of what is sent are awaited. */
  canSend(): boolean
  close(): void
}

export function createProtection(sockets: MediaSockets): Protection {
  let sent = CLOSED
  let received = CLOSED
  let last: RtpAgreement | undefined
  /** That of the own key in the SDP, which is the same for the whole call, so that no packet number is used again. */
  let protector: SrtpProtector | undefined
  let association: Association | undefined

  function agreeWithoutDtls({ keys }: RtpAgreement, before: RtpAgreement | undefined): void {
    if (!keys) {
      ;[sent, received] = [PLAIN, PLAIN]
      return
    }
    protector ??= createSrtpProtector(keys.own)
    sent = protector
    if (!before?.keys?.other.key.equals(keys.other.key)) received = createSrtpReceiver(keys.other)
  }

  return {
    get sent() {
      return association?.sent ?? sent
    },
    get received() {
      return association?.received ?? received
    },
    canSend: () => (association?.sent ?? sent).rtp !== CLOSED.rtp,
    agree(agreement) {
      const before = last
      last = agreement
      if (agreement.dtls) association ??= createAssociation(sockets)
      else {
        association?.close()
        association = undefined
      }
      if (association) association.agree(agreement)
      else agreeWithoutDtls(agreement, before)
    },
    close: () => association?.close(),
  }
}
