import { createHash } from 'node:crypto'
import type { MediaSockets, Peer, PortKind } from '../rtp/media-sockets.ts'
import { fingerprintHashes } from '../sdp/dtls.ts'
import type { SrtpKey } from '../srtp-key.ts'
import { createFlightSender } from './flights.ts'
import { type Dtls, loadDtls } from './load-dtls.ts'
import { createRepetitionFilter } from './repetitions.ts'

/** Keys of SRTP on which a handshake agreed. */
export interface DtlsKeys {
  readonly own: SrtpKey
  readonly other: SrtpKey
}

export interface HandshakeParts {
  readonly sockets: Pick<MediaSockets, 'sendDtls' | 'onDtls'>
  /** Port of this side. */
  readonly kind: PortKind
  readonly peer: Peer
  /** This side begins. */
  readonly isClient: boolean
  /** Fingerprint that the certificate of the other side must have, as the SDP has it. */
  readonly fingerprint: string
  /**
   * Called once, if the certificate of the other side has the fingerprint. Without it, the stream remains silent. The
   * library does not verify signatures, as for WebRTC: a copy of the certificate passes.
   */
  onKeys(keys: DtlsKeys): void
}

/** AES_CM_128_HMAC_SHA1_80 as DTLS numbers it (RFC 5764, 4.1.2). */
const PROFILE = 1
const KEY_BYTES = 16
const SALT_BYTES = 14
/** Packets of a whole handshake, with repetitions. What a peer sends beyond is ignored. */
const MAX_PACKETS = 200
/** Type of a record with a message of the handshake, place of the type of that message, and the one that begins anew. */
const HANDSHAKE = 22
const MESSAGE_TYPE = 13
const CLIENT_HELLO = 1

/** Starts a handshake of DTLS (RFC 5764) on a port of a call. The returned function ends it. */
export function startHandshake(parts: HandshakeParts): () => void {
  let stop = () => {}
  let isStopped = false
  loadDtls().then(
    (dtls) => {
      if (!isStopped) stop = shakeHands(parts, dtls)
    },
    () => {}, // its certificate was loaded for the SDP
  )
  return () => {
    isStopped = true
    stop()
  }
}

function shakeHands(parts: HandshakeParts, { werift, certificate }: Dtls): () => void {
  const { sockets, kind, isClient, fingerprint, onKeys } = parts
  let peer = parts.peer
  let packets = 0
  let isOver = false
  const withoutRepetitions = createRepetitionFilter()
  const sendRecords = createFlightSender((datagram) => {
    if (!isOver) sockets.sendDtls(kind, datagram, peer)
  })
  const transport: DtlsTransport = {
    type: 'udp',
    address: { address: peer.address, port: peer.port, family: 'IPv4' },
    closed: false,
    onData: () => {},
    send: async (records) => sendRecords(records),
    close: async () => {},
  }
  const { cert, key, signatureHash } = certificate
  const options = { cert, key, signatureHash, transport, srtpProfiles: [PROFILE], extendedMasterSecret: true }
  const dtls = isClient
    ? new werift.DtlsClient(options as ClientOptions)
    : new werift.DtlsServer({ ...options, certificateRequest: true } as ClientOptions)
  dtls.onError.subscribe(() => {}) // the stream remains silent
  dtls.onConnect.once(() => {
    const certificateOfPeer = dtls.remoteCertificate
    if (isOver || dtls.srtp.srtpProfile !== PROFILE || !certificateOfPeer) return
    if (fingerprintOf(certificateOfPeer, fingerprint) !== fingerprint) return
    const { localKey, localSalt, remoteKey, remoteSalt } = dtls.extractSessionKeys(KEY_BYTES, SALT_BYTES)
    onKeys({ own: { key: localKey, salt: localSalt }, other: { key: remoteKey, salt: remoteSalt } })
  })
  const stop = sockets.onDtls(kind, (packet, from) => {
    if (from.address !== parts.peer.address || ++packets > MAX_PACKETS) return
    if (dtls.connected && packet[0] === HANDSHAKE && packet[MESSAGE_TYPE] === CLIENT_HELLO) return
    peer = from
    try {
      transport.onData(withoutRepetitions(packet), [from.address, from.port])
    } catch {
      // a record that cannot be read
    }
  })
  if (dtls instanceof werift.DtlsClient) dtls.connect().catch(() => {}) // the other side has not answered
  return () => {
    isOver = true
    stop()
  }
}

type ClientOptions = ConstructorParameters<Dtls['werift']['DtlsClient']>[0]
type DtlsTransport = ClientOptions['transport']

/** Returns the fingerprint of a certificate by the hash of another fingerprint. */
function fingerprintOf(certificate: Buffer, other: string): string {
  const hash = other.split(' ', 1)[0] as keyof typeof fingerprintHashes
  const digest = createHash(fingerprintHashes[hash]).update(certificate).digest('hex').toUpperCase()
  return `${hash} ${digest.match(/../g)?.join(':')}`
}
