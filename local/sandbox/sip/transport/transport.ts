import { lookup } from 'node:dns/promises'
import { type ConnectionSettings, createConnections } from './connections.ts'
import { type Transport, type TransportEvents, withoutBrackets } from './link.ts'
import { createUdp } from './udp.ts'

/**
 * Creates the transport over the network. Names are looked up as addresses: SRV and NAPTR records (RFC 3263) are not
 * read.
 */
export function createTransport(settings: ConnectionSettings, events: TransportEvents): Transport {
  const udp = createUdp(events)
  const connections = createConnections(settings, events)
  return {
    async connect(destination) {
      const address = await lookup(withoutBrackets(destination.host))
      return (destination.kind === 'udp' ? udp : connections).connect(destination, address)
    },
    close() {
      udp.close()
      connections.close()
    },
  }
}
