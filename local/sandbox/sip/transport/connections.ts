import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, rootCertificates } from 'node:tls'
import type { Clock } from '../../../../lib/clock.ts'
import { createStreamSplitter } from '../messages/split-stream.ts'
import { type Destination, type Link, type TransportEvents, withBrackets, withoutBrackets } from './link.ts'

export interface ConnectionSettings {
  readonly clock: Clock
  /** Certificates in PEM that are trusted beside those of the system. */
  readonly ca?: string | undefined
  /** Further options of TLS. */
  readonly tls?: Pick<ConnectionOptions, 'rejectUnauthorized' | 'cert' | 'key'> | undefined
}

interface Connection {
  readonly socket: Socket
  readonly links: Set<Link>
}

/** Milliseconds until a connection is established, with the handshake of TLS: a server without TLS may never answer it. */
const MAX_CONNECTING = 10_000

/**
 * Creates the TCP and TLS transports. Calls to one destination share a connection, and the peer's requests arrive by
 * it: Contact names its local port, since this side does not listen.
 */
export function createConnections({ clock, ca, tls }: ConnectionSettings, events: TransportEvents) {
  const connections = new Map<string, Promise<Connection>>()

  async function open({ kind, host, port }: Destination, address: string, key: string): Promise<Connection> {
    const name = withoutBrackets(host)
    const isName = !/^[\d.]+$|:/.test(name)
    const secure = { ...tls, ...(ca && { ca: [...rootCertificates, ca] }), ...(isName && { servername: name }) }
    const socket =
      kind === 'tls'
        ? connectTls({ host: isName ? name : address, port, ...secure, ...(isName && { lookup: lookupOf(address) }) })
        : connectTcp({ host: address, port })
    const late = new Error(`There is no connection to ${host}:${port} after ${MAX_CONNECTING / 1000} s.`)
    const timeout = clock.at(clock.now() + MAX_CONNECTING, () => socket.destroy(late))
    await once(socket, kind === 'tls' ? 'secureConnect' : 'connect').finally(timeout.cancel)
    const connection = { socket, links: new Set<Link>() }
    const end = () => {
      connections.delete(key)
      for (const link of connection.links) events.onLost(link)
      connection.links.clear()
      socket.destroy()
    }
    const send = (message: string) => void (socket.writable && socket.write(message))
    const split = createStreamSplitter((data) => events.onMessage(data, { kind, host: address, port, send }), end)
    socket.on('data', split)
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', end)
    return connection
  }

  return {
    async connect(destination: Destination, { address }: { readonly address: string }): Promise<Link> {
      const key = `${destination.kind} ${destination.host} ${destination.port}`
      const opened = connections.get(key) ?? open(destination, address, key)
      connections.set(key, opened)
      opened.catch(() => connections.delete(key))
      const { socket, links } = await opened
      const link: Link = {
        kind: destination.kind,
        localHost: withBrackets(socket.localAddress ?? '127.0.0.1'),
        localPort: socket.localPort ?? 0,
        send: (message) => void (socket.writable && socket.write(message)),
        release() {
          if (links.delete(link) && links.size === 0) {
            connections.delete(key)
            socket.end()
          }
        },
      }
      links.add(link)
      return link
    },
    close() {
      for (const connection of connections.values()) connection.then(({ socket }) => socket.destroy()).catch(() => {})
      connections.clear()
    },
  }
}

/** Resolves a name that was resolved before, so that the certificate is checked against the name. */
const lookupOf =
  (address: string): NonNullable<ConnectionOptions['lookup']> =>
  (_name, options, callback) => {
    const family = address.includes(':') ? 6 : 4
    const found = { address, family }
    if (typeof options === 'object' && options.all)
      (callback as (error: null, all: (typeof found)[]) => void)(null, [found])
    else (callback as (error: null, address: string, family: number) => void)(null, address, family)
  }
