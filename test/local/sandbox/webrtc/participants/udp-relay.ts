import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Relays of UDP on this machine, whose packets can be lost. */
export function createUdpRelays() {
  const relays = new Map<number, Promise<number>>()
  const sockets: Socket[] = []
  const network = { isGone: false }
  onTestFinished(() => {
    for (const socket of sockets) socket.close()
  })

  async function bind(onMessage: (packet: Buffer, from: RemoteInfo) => void): Promise<Socket> {
    const socket = createSocket('udp4', (packet, from) => {
      if (!network.isGone) onMessage(packet, from)
    })
    sockets.push(socket)
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return socket
  }
  async function open(target: number): Promise<number> {
    const clients = new Map<string, Promise<Socket>>()
    const entry: Socket = await bind(async (packet, { port, address }) => {
      const client = `${address}:${port}`
      const forClient = clients.get(client) ?? bind((answer) => entry.send(answer, port, address))
      clients.set(client, forClient)
      const socket = await forClient
      socket.send(packet, target, '127.0.0.1')
    })
    return entry.address().port
  }

  return {
    network,
    /** Returns the port of the relay to a port; the same for each call. */
    relay(target: number): Promise<number> {
      const known = relays.get(target) ?? open(target)
      relays.set(target, known)
      return known
    },
  }
}
