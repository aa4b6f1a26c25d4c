import { type DtlsKeys, startHandshake } from '../dtls/handshake.ts'
import type { RtpAgreement } from '../sdp/negotiation.ts'
import { isSamePeer, type MediaSockets } from './media-sockets.ts'
import { createSrtpProtector, createSrtpReceiver, type SrtpProtector } from './srtp.ts'

/** Encrypts or decrypts packets. Undefined is one that is forged, or for which there are no keys yet. */
export interface Cipher {
  rtp(packet: Buffer): Buffer | undefined
  rtcp(packet: Buffer): Buffer | undefined
}

/** Protects the packets of one stream as was agreed last: not at all, or by SRTP. */
export interface Protection {
  agree(agreement: RtpAgreement): void
  readonly sent: Cipher
  readonly received: Cipher
  close(): void
}

const PLAIN: Cipher = { rtp: (packet) => packet, rtcp: (packet) => packet }
/** Nothing is sent or received before a handshake has given the keys. */
const CLOSED: Cipher = { rtp: () => undefined, rtcp: () => undefined }

export function createProtection(sockets: MediaSockets): Protection {
  let sent = CLOSED
  let received = CLOSED
  let last: RtpAgreement | undefined
  /** That of the own key in the SDP, which is the same for the whole call, so that no packet number is used again. */
  let protector: SrtpProtector | undefined
  let stopHandshakes = () => {}

  function shakeHands({ address, port, rtcpPort, isMuxed, dtls }: RtpAgreement): void {
    if (!dtls) return
    ;[sent, received] = [CLOSED, CLOSED]
    const start = (kind: 'rtp' | 'rtcp', peerPort: number, onKeys: (keys: DtlsKeys) => void) =>
      startHandshake({ sockets, kind, peer: { address, port: peerPort }, ...dtls, onKeys })
    const take = (kinds: readonly ('rtp' | 'rtcp')[]) => (keys: DtlsKeys) => {
      const [sealing, opening] = [createSrtpProtector(keys.own), createSrtpReceiver(keys.other)]
      for (const kind of kinds) {
        sent = { ...sent, [kind]: sealing[kind] }
        received = { ...received, [kind]: opening[kind] }
      }
    }
    // Without rtcp-mux, each port has a handshake of its own (RFC 5764, 5.1.2).
    const stops = isMuxed
      ? [start('rtp', port, take(['rtp', 'rtcp']))]
      : [start('rtp', port, take(['rtp'])), start('rtcp', rtcpPort, take(['rtcp']))]
    stopHandshakes = () => {
      for (const stop of stops) stop()
    }
  }

  return {
    get sent() {
      return sent
    },
    get received() {
      return received
    },
    agree(agreement) {
      const before = last
      last = agreement
      const { keys, dtls } = agreement
      if (dtls && before?.dtls?.fingerprint === dtls.fingerprint && isSamePeer(before, agreement)) return
      stopHandshakes()
      stopHandshakes = () => {}
      if (dtls) return shakeHands(agreement)
      if (!keys) {
        ;[sent, received] = [PLAIN, PLAIN]
        return
      }
      protector ??= createSrtpProtector(keys.own)
      sent = protector
      if (!before?.keys?.other.key.equals(keys.other.key)) received = createSrtpReceiver(keys.other)
    },
    close: () => stopHandshakes(),
  }
}
