import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { createUserAgent } from '../../../../../local/sandbox/sip/user-agent.ts'
import { createFakeMedia } from '../fake-media.ts'

/** Dials a server of TCP over TLS, and takes each connection that it gets. Returns how the call ends. */
async function dialOverTls(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const clock = createSteppedClock(0)
  const logged: string[] = []
  const agent = createUserAgent({ clock, random: randomBytes, allow: [], log: (line) => logged.push(line) })
  onTestFinished(agent.close)
  const uri = `sip:bob@127.0.0.1:${(server.address() as AddressInfo).port};transport=tls`
  const made = agent.invite({ uri, from: 'ada@example.com', headers: {}, media: createFakeMedia() })
  const ended = new Promise<{ code: number }>((resolve) => made.on('ended', resolve))
  return { server, clock, logged, ended }
}

describe('createConnections', () => {
  it('gives up a handshake of TLS that is not answered for ten seconds', async () => {
    const { server, clock, logged, ended } = await dialOverTls((socket) => socket.on('error', () => {}).resume())
    const [socket] = (await once(server, 'connection')) as [Socket]
    await once(socket, 'data')
    await clock.advance(10_000)
    expect(await ended).toMatchObject({ code: 503 })
    expect(logged.join()).toContain('after 10 s')
  })
  it('gives up at the first answer that is not TLS', async () => {
    const { ended } = await dialOverTls((socket) => socket.on('error', () => {}).end('SIP/2.0 400 Bad Request\r\n\r\n'))
    expect(await ended).toMatchObject({ code: 503 })
  })
})
