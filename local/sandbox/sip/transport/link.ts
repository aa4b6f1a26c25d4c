/** Transports of RFC 3261 that the user agent speaks. */
export type TransportKind = 'udp' | 'tcp' | 'tls'

/** Transport, host and port that messages are sent to. */
export interface Destination {
  readonly kind: TransportKind
  readonly host: string
  readonly port: number
}

/** A way to one peer: a connection, or a UDP socket with the peer's address. */
export interface Link {
  readonly kind: TransportKind
  /** Address and port that Via and Contact name. */
  readonly localHost: string
  readonly localPort: number
  send(message: string): void
  /** Declares that a caller needs the link no more. A connection that no caller needs is closed. */
  release(): void
}

/** Sends and receives messages. */
export interface Transport {
  /** Opens a link, or reuses the connection to the same destination. @throws Error if the peer cannot be reached */
  connect(destination: Destination): Promise<Link>
  close(): void
}

export interface TransportEvents {
  /** Called with one datagram, or one message of a connection. `reply` sends to where it was sent from. */
  onMessage(data: Buffer, reply: Reply): void
  /** Called when a connection ended that links depended on. */
  onLost(link: Link): void
}

/** Sends an answer over UDP to an address, or over the connection that the request arrived by. */
export interface Reply {
  readonly kind: TransportKind
  /** Address of the peer. */
  readonly host: string
  readonly port: number
  /** @param port port to send to over UDP. @default the port of the peer */
  send(message: string, port?: number): void
}

/** Returns a host without the brackets of an IPv6 address. */
export const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Returns a host as URIs and Via write it: an IPv6 address in brackets. */
export const withBrackets = (host: string) => (host.includes(':') ? `[${withoutBrackets(host)}]` : host)
