import type { MediaSockets, Peer, PortKind } from '../media-sockets.ts'
import type { SrtpKey } from '../srtp-key.ts'
import { createFlightSender } from './flights.ts'
import { type Dtls, loadDtls } from './load-dtls.ts'
import { clientRandomOf, createRepetitionFilter } from './repetitions.ts'

/** Outcome of a handshake: the keys of SRTP, and the certificate of the other side in DER. */
export interface DtlsResult {
  readonly own: SrtpKey
  readonly other: SrtpKey
  readonly certificate: Buffer
}

export interface HandshakeParts {
  readonly sockets: Pick<MediaSockets, 'sendDtls' | 'onDtls'>
  /** Port of this side. */
  readonly kind: PortKind
  readonly peer: Peer
  /** This side begins. */
  readonly isClient: boolean
  /**
   * Called for each handshake. The library does not verify signatures, as for WebRTC: a copy of the certificate of the other
   * side passes.
   */
  onResult(result: DtlsResult): void
}

/** AES_CM_128_HMAC_SHA1_80 as DTLS numbers it (RFC 5764, 4.1.2). */
const PROFILE = 1
const KEY_BYTES = 16
const SALT_BYTES = 14
/** Packets of a whole handshake, with repetitions. What a peer sends beyond is ignored. */
const MAX_PACKETS = 200
/** Handshakes at one port. */
const MAX_HANDSHAKES = 50
/** Milliseconds after which a client begins again: some relays forget a handshake that they have taken too early. */
const PATIENCE = 6_000

/**
 * Takes handshakes of DTLS at a port of a call (RFC 5764). The returned function ends them. A server also takes later ones:
 * relays begin again when a call changes.
 */
export function startHandshakes(parts: HandshakeParts): () => void {
  let stop = () => {}
  let isStopped = false
  loadDtls().then(
    (dtls) => {
      if (!isStopped) stop = (parts.isClient ? beginHandshakes : awaitHandshakes)(parts, dtls)
    },
    () => {}, // its certificate was loaded for the SDP
  )
  return () => {
    isStopped = true
    stop()
  }
}

function beginHandshakes(parts: HandshakeParts, dtls: Dtls): () => void {
  const { sockets, kind, peer } = parts
  let current = shakeHands(parts, peer, dtls)
  let count = 1
  const timer = setInterval(() => {
    if (current.isDone() || ++count > MAX_HANDSHAKES) return clearInterval(timer)
    current.close()
    current = shakeHands(parts, peer, dtls)
  }, PATIENCE).unref()
  const stop = sockets.onDtls(kind, (packet, from) => {
    if (from.address === peer.address) current.take(packet, from)
  })
  return () => {
    clearInterval(timer)
    stop()
    current.close()
  }
}

function awaitHandshakes(parts: HandshakeParts, dtls: Dtls): () => void {
  const { sockets, kind, peer } = parts
  let current: Handshake | undefined
  const begun = new Set<string>()
  const stop = sockets.onDtls(kind, (packet, from) => {
    if (from.address !== peer.address) return
    const random = clientRandomOf(packet)
    if (random !== undefined && !begun.has(random) && begun.size < MAX_HANDSHAKES) {
      begun.add(random)
      current?.close()
      current = shakeHands(parts, from, dtls)
    }
    current?.take(packet, from)
  })
  return () => {
    stop()
    current?.close()
  }
}

interface Handshake {
  take(packet: Buffer, from: Peer): void
  /** Returns true if it has a result. */
  isDone(): boolean
  close(): void
}

function shakeHands(parts: HandshakeParts, first: Peer, { werift, certificate }: Dtls): Handshake {
  const { sockets, kind, isClient, onResult } = parts
  let peer = first
  let packets = 0
  let isOver = false
  let isDone = false
  const flights = createFlightSender((datagram) => {
    if (!isOver) sockets.sendDtls(kind, datagram, peer)
  })
  const withoutRepetitions = createRepetitionFilter(flights.repeat)
  const transport: DtlsTransport = {
    type: 'udp',
    address: { address: peer.address, port: peer.port, family: 'IPv4' },
    closed: false,
    onData: () => {},
    send: async (records) => flights.send(records),
    close: async () => {},
  }
  const { cert, key, signatureHash } = certificate
  const options = { cert, key, signatureHash, transport, srtpProfiles: [PROFILE], extendedMasterSecret: true }
  const dtls = isClient
    ? new werift.DtlsClient(options as ClientOptions)
    : new werift.DtlsServer({ ...options, certificateRequest: true } as ClientOptions)
  dtls.onError.subscribe(() => {}) // the stream remains silent
  dtls.onConnect.once(() => {
    const certificate = dtls.remoteCertificate
    if (isOver || dtls.srtp.srtpProfile !== PROFILE || !certificate) return
    const { localKey, localSalt, remoteKey, remoteSalt } = dtls.extractSessionKeys(KEY_BYTES, SALT_BYTES)
    isDone = true
    onResult({ own: { key: localKey, salt: localSalt }, other: { key: remoteKey, salt: remoteSalt }, certificate })
  })
  if (dtls instanceof werift.DtlsClient) dtls.connect().catch(() => {}) // the other side has not answered
  return {
    take(packet, from) {
      if (isOver || ++packets > MAX_PACKETS) return
      peer = from
      const records = withoutRepetitions(packet)
      if (records.length === 0) return
      try {
        transport.onData(records, [from.address, from.port])
      } catch {
        // a record that cannot be read
      }
    },
    isDone: () => isDone,
    close() {
      isOver = true
    },
  }
}

type ClientOptions = ConstructorParameters<Dtls['werift']['DtlsClient']>[0]
type DtlsTransport = ClientOptions['transport']
