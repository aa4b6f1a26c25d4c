import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { createRandom } from '../../local/simulation/scheduling/random.ts'

/** Conditions of a network. Each holds in both directions. */
export interface Conditions {
  /** Share of the packets that are lost, 0 to 1. */
  readonly loss: number
  /** Milliseconds by which a packet is late at most. Packets overtake each other. */
  readonly jitter: number
}

/**
 * Opens a network between WebRTC peers and a sandbox. The doors are reached through a proxy, which replaces the
 * candidate in each answer by a relay of UDP. It needs neither root nor the kernel's netem, which kernels may lack.
 */
export async function openBadNetwork(origin: string, seed = 1) {
  const random = createRandom(seed, 'network')
  let conditions: Conditions = { loss: 0, jitter: 0 }
  const passed = { packets: 0, lost: 0 }
  const sockets: Socket[] = []

  /** Delivers a packet, late or never. */
  function carry(deliver: () => void): void {
    if (random.next() < conditions.loss) {
      passed.lost++
      return
    }
    passed.packets++
    setTimeout(() => !isClosed && deliver(), random.next() * conditions.jitter)
  }
  async function open(): Promise<Socket> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    sockets.push(socket)
    await once(socket, 'listening')
    return socket
  }
  /** Returns the port of a new relay to a port of the sandbox. */
  async function relay(port: number): Promise<number> {
    const [front, back] = [await open(), await open()]
    let peer: RemoteInfo | undefined
    front.on('message', (packet, from) => {
      peer = from
      carry(() => back.send(packet, port, '127.0.0.1'))
    })
    back.on('message', (packet) => carry(() => peer && front.send(packet, peer.port, peer.address)))
    return front.address().port
  }

  const server = createServer(async (request, response) => {
    const answer = await fetch(origin + request.url, await forwarded(request))
    const body = Buffer.from(await withRelays(await answer.text(), relay))
    response.writeHead(answer.status, { ...copied(answer.headers), 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let isClosed = false
  onTestFinished(() => {
    isClosed = true
    server.close()
    server.closeAllConnections()
    for (const socket of sockets) socket.close()
  })
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** Returns the address of a door by which a peer uses this network. */
    through: (address: string) => address.replace(origin, proxy),
    /** Sets the conditions of the packets that follow. */
    set(next: Conditions) {
      conditions = next
    },
    /** Packets that arrived and that were lost. */
    passed,
  }
}

/** Conditions under which nothing arrives. */
export const GONE: Conditions = { loss: 1, jitter: 0 }

async function forwarded(request: IncomingMessage): Promise<RequestInit> {
  const { method = 'GET', headers } = request
  const kept = ['authorization', 'content-type', 'origin', 'access-control-request-method']
  const given = kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const]))
  return { method, headers: Object.fromEntries(given), ...(method === 'POST' && { body: await text(request) }) }
}

/** Returns the headers of an answer, without those of its transfer. */
const copied = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => !['content-length', 'connection', 'date'].includes(name)))

async function withRelays(sdp: string, relay: (port: number) => Promise<number>): Promise<string> {
  const ports = new Map<string, number>()
  for (const [, port = ''] of sdp.matchAll(CANDIDATE)) ports.set(port, ports.get(port) ?? (await relay(Number(port))))
  return sdp.replace(CANDIDATE, (line, port: string) => line.replace(` ${port} typ`, ` ${ports.get(port)} typ`))
}

const CANDIDATE = /^a=candidate:.* 127\.0\.0\.1 (\d+) typ host.*$/gm
