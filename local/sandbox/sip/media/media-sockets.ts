import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** Destination or source of packets. */
export type Peer = Pick<RemoteInfo, 'address' | 'port'>

/** Returns true for the same address and port. */
export const isSamePeer = (one: Peer, other: Peer) => one.address === other.address && one.port === other.port

/** Two UDP ports of a call: RTP has an even one, RTCP the next (RFC 3550, 11). */
export interface MediaSockets {
  readonly port: number
  /** Failures of the network are ignored, as losses are. */
  sendRtp(packet: Buffer, to: Peer): void
  sendRtcp(packet: Buffer, to: Peer): void
  onRtp(listener: (packet: Buffer, from: Peer) => void): void
  onRtcp(listener: (packet: Buffer, from: Peer) => void): void
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
  let isClosed = false
  const send = (socket: Socket, packet: Buffer, to: Peer) => {
    if (!isClosed) socket.send(packet, to.port, to.address, () => {})
  }
  return {
    port,
    sendRtp: (packet, to) => send(rtp, packet, to),
    sendRtcp: (packet, to) => send(rtcp, packet, to),
    onRtp: (listener) => void rtp.on('message', listener),
    onRtcp: (listener) => void rtcp.on('message', listener),
    close() {
      isClosed = true
      setImmediate(() => {
        for (const socket of [rtp, rtcp]) socket.close() // after the last packet, whose address is looked up first
      })
    },
  }
}
