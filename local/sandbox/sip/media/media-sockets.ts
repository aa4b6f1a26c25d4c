import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'

/** Destination or source of packets. */
export type Peer = Pick<RemoteInfo, 'address' | 'port'>

/** Returns true for the same address and port. */
export const isSamePeer = (one: Peer, other: Peer) => one.address === other.address && one.port === other.port

/** Ports of a call by what they are for. */
export type PortKind = 'rtp' | 'rtcp'

type PacketListener = (packet: Buffer, from: Peer) => void

/** Two UDP ports of a call: RTP has an even one, RTCP the next (RFC 3550, 11). */
export interface MediaSockets {
  readonly port: number
  /** Failures of the network are ignored, as losses are. */
  sendRtp(packet: Buffer, to: Peer): void
  /** @param isMuxed sends from the port of RTP */
  sendRtcp(packet: Buffer, to: Peer, isMuxed?: boolean): void
  sendDtls(kind: PortKind, packet: Buffer, to: Peer): void
  /** Takes the packets of one kind. They are distinguished by their first bytes (RFC 5761 and RFC 7983). */
  onRtp(listener: PacketListener): void
  onRtcp(listener: PacketListener): void
  /**
   * Takes records of DTLS at one port, until the returned function is called. The first are those that have arrived shortly
   * before: some peers begin a handshake with their offer.
   */
  onDtls(kind: PortKind, listener: PacketListener): () => void
  close(): void
}

const ATTEMPTS = 50

/**
 * Binds the ports of a call.
 * @param address IPv4 address of this machine
 * @throws Error when there are no free ports
 */
export async function openMediaSockets(address: string): Promise<MediaSockets> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rtp = await bind(address, 0)
    const { port } = rtp.address()
    if (port % 2 === 0) {
      const rtcp = await bind(address, port + 1).catch(() => undefined)
      if (rtcp) return socketsOf(rtp, rtcp, port)
    }
    rtp.close()
  }
  throw new Error(`There are no two free UDP ports at ${address} for a call.`)
}

async function bind(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind({ address, port })
  await once(socket, 'listening').catch((error) => {
    socket.close()
    throw error
  })
  socket.on('error', () => {}) // an unreachable port, which is a loss
  return socket
}

function socketsOf(rtp: Socket, rtcp: Socket, port: number): MediaSockets {
  const sockets = { rtp, rtcp }
  const arrived = new EventEmitter<Record<'rtp' | 'rtcp' | 'rtp dtls' | 'rtcp dtls', [packet: Buffer, from: Peer]>>()
  let isClosed = false
  const send = (kind: PortKind, packet: Buffer, to: Peer) => {
    if (!isClosed) sockets[kind].send(packet, to.port, to.address, () => {})
  }
  const early: { readonly kind: PortKind; readonly packet: Buffer; readonly from: Peer; readonly at: number }[] = []
  for (const kind of ['rtp', 'rtcp'] as const)
    sockets[kind].on('message', (packet, from) => {
      if (!isDtls(packet)) arrived.emit(isRtcp(packet) ? 'rtcp' : kind, packet, from)
      else if (!arrived.emit(`${kind} dtls`, packet, from)) {
        early.push({ kind, packet, from, at: Date.now() })
        if (early.length > MAX_EARLY) early.shift()
      }
    })
  return {
    port,
    sendRtp: (packet, to) => send('rtp', packet, to),
    sendRtcp: (packet, to, isMuxed) => send(isMuxed ? 'rtp' : 'rtcp', packet, to),
    sendDtls: send,
    onRtp: (listener) => void arrived.on('rtp', listener),
    onRtcp: (listener) => void arrived.on('rtcp', listener),
    onDtls(kind, listener) {
      arrived.on(`${kind} dtls`, listener)
      const isRecent = ({ at }: { readonly at: number }) => Date.now() - at < MAX_EARLY_MS
      const waiting = early.filter((each) => each.kind === kind && isRecent(each))
      early.splice(0, early.length, ...early.filter((each) => each.kind !== kind))
      queueMicrotask(() => {
        for (const { packet, from } of waiting) listener(packet, from)
      })
      return () => void arrived.off(`${kind} dtls`, listener)
    },
    close() {
      isClosed = true
      setImmediate(() => {
        for (const socket of [rtp, rtcp]) socket.close() // after the last packet, whose address is looked up first
      })
    },
  }
}

/** Records of DTLS that are kept for a later listener, and milliseconds for which they are. */
const MAX_EARLY = 8
const MAX_EARLY_MS = 5_000

const isDtls = ([first = 0]: Uint8Array) => first >= 20 && first <= 63

/** Payload types from 64 to 95 are not used for RTP, since they would be those of RTCP with the marker bit. */
const isRtcp = ([, second = 0]: Uint8Array) => second >= 192 && second <= 223
