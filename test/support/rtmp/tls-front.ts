import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Certificate } from '../certificates.ts'

/** Speaks TLS in front of a server that does not. */
export interface TlsFront {
  readonly port: number
  close(): Promise<void>
}

/** Starts it on a free port of 127.0.0.1; what it decrypts goes to `port` there. */
export async function startTlsFront(certificate: Certificate, port: number): Promise<TlsFront> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, other: () => Socket) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket)
        other().destroy()
      })
  }
  const server = createServer(certificate, (secure) => {
    const plain = connect({ host: '127.0.0.1', port })
    keep(secure, () => plain)
    keep(plain, () => secure)
    secure.pipe(plain).pipe(secure)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
