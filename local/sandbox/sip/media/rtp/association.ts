import { createHash } from 'node:crypto'
import { type DtlsResult, startHandshakes } from '../dtls/handshake.ts'
import type { MediaSockets, PortKind } from '../media-sockets.ts'
import { fingerprintHashes } from '../sdp/dtls.ts'
import type { RtpAgreement } from '../sdp/negotiation.ts'
import { type Cipher, CLOSED } from './cipher.ts'
import { createSrtpProtector, createSrtpReceiver } from './srtp.ts'

/** The keys of one stream that handshakes give. */
export interface Association {
  /** Follows an offer and its answer. */
  agree(agreement: RtpAgreement): void
  readonly sent: Cipher
  readonly received: Cipher
  close(): void
}

interface Listening {
  readonly place: string
  readonly stop: () => void
}

interface Keys {
  readonly certificate: Buffer
  readonly sent: Cipher
  readonly received: Cipher
}

/** Handshakes whose keys are kept at each port: one may be over before the offer that has its fingerprint is read. */
const MAX_KEPT = 4

/**
 * Creates the association of one stream. Nothing is sent or received before a handshake with the certificate of the SDP has
 * given the keys.
 */
export function createAssociation(sockets: MediaSockets): Association {
  let sent = CLOSED
  let received = CLOSED
  let isMuxed = false
  let fingerprint = ''
  const listening: Partial<Record<PortKind, Listening>> = {}
  /** The newest first. */
  const kept: Record<PortKind, Keys[]> = { rtp: [], rtcp: [] }

  function refresh(): void {
    const keysOf = (kind: PortKind) => kept[kind].find(({ certificate }) => isOf(certificate, fingerprint))
    const rtp = keysOf('rtp')
    const rtcp = isMuxed ? rtp : keysOf('rtcp')
    sent = { rtp: (rtp?.sent ?? CLOSED).rtp, rtcp: (rtcp?.sent ?? CLOSED).rtcp }
    received = { rtp: (rtp?.received ?? CLOSED).rtp, rtcp: (rtcp?.received ?? CLOSED).rtcp }
  }
  function take(kind: PortKind, { own, other, certificate }: DtlsResult): void {
    kept[kind].unshift({ certificate, sent: createSrtpProtector(own), received: createSrtpReceiver(other) })
    kept[kind].splice(MAX_KEPT)
    refresh()
  }
  function stop(kind: PortKind): void {
    listening[kind]?.stop()
    delete listening[kind]
  }
  function listen(kind: PortKind, port: number, address: string, isClient: boolean): void {
    const place = isClient ? `${address} ${port}` : address // of a client, any port is taken
    if (listening[kind]?.place === place) return
    stop(kind)
    const onResult = (result: DtlsResult) => take(kind, result)
    listening[kind] = {
      place,
      stop: startHandshakes({ sockets, kind, peer: { address, port }, isClient, onResult }),
    }
  }

  return {
    get sent() {
      return sent
    },
    get received() {
      return received
    },
    agree({ address, port, rtcpPort, dtls, ...agreement }) {
      if (!dtls) return
      isMuxed = agreement.isMuxed
      fingerprint = dtls.fingerprint
      listen('rtp', port, address, dtls.isClient)
      // Without rtcp-mux, each port has its own handshake (RFC 5764, 5.1.2).
      if (isMuxed) stop('rtcp')
      else listen('rtcp', rtcpPort, address, dtls.isClient)
      refresh()
    },
    close() {
      stop('rtp')
      stop('rtcp')
    },
  }
}

/** Returns true if a certificate has a fingerprint, as the SDP has it. */
function isOf(certificate: Buffer, fingerprint: string): boolean {
  const [hash = '', digest] = fingerprint.split(' ')
  const algorithm = fingerprintHashes[hash as keyof typeof fingerprintHashes]
  const actual = createHash(algorithm).update(certificate).digest('hex').toUpperCase()
  return actual.match(/../g)?.join(':') === digest
}
