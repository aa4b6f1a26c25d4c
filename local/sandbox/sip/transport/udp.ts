import { createSocket, type Socket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type Destination, type Link, type TransportEvents, withBrackets } from './link.ts'

/** Creates the UDP transport: one socket for each local address, bound to it. */
export function createUdp(events: TransportEvents) {
  const sockets = new Map<string, Promise<Socket>>()

  async function bind(address: string): Promise<Socket> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.on('message', (data, { address: host, port }) =>
      events.onMessage(data, {
        kind: 'udp',
        host,
        port,
        send: (message, to = port) => send(socket, message, to, host),
      }),
    )
    socket.bind(0, address)
    await once(socket, 'listening')
    socket.on('error', () => {}) // an ICMP error of a peer; timers end the transaction
    return socket
  }

  return {
    async connect({ port }: Destination, { address }: LookupAddress): Promise<Link> {
      const local = await localAddressFor(address)
      const bound = sockets.get(local) ?? bind(local)
      sockets.set(local, bound)
      const socket = await bound
      return {
        kind: 'udp',
        localHost: withBrackets(local),
        localPort: socket.address().port,
        send: (message) => send(socket, message, port, address),
        release() {},
      }
    },
    close() {
      for (const socket of sockets.values()) void socket.then((bound) => bound.close())
      sockets.clear()
    },
  }
}

function send(socket: Socket, message: string, port: number, host: string): void {
  try {
    socket.send(message, port, host, () => {}) // a lost datagram is sent again by a timer
  } catch {
    // The socket is closed, or the peer gave port 0.
  }
}

/** Returns the local address of the route to a peer. @throws Error if there is no route */
export async function localAddressFor(address: string): Promise<string> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  try {
    socket.connect(9, address) // sends nothing
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
