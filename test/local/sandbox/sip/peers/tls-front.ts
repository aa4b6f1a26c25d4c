import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import type { Certificate } from '../../../../support/certificates.ts'

/** Starts a server that takes TLS and passes the bytes to a port of TCP. */
export async function startTlsFront(certificate: Certificate, port: number): Promise<{ port: number; close(): void }> {
  const server = createServer(certificate, (socket) => {
    const target = connect(port, '127.0.0.1')
    socket.pipe(target).pipe(socket)
    for (const each of [socket, target]) each.on('error', () => socket.destroy(void target.destroy()))
  })
  server.on('tlsClientError', () => {}) // the client refused the certificate
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}
