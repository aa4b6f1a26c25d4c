import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openRoom } from './open-room.ts'
import { openSocket } from './open-socket.ts'

const SECOND = 1_000

describe('a participant’s socket', () => {
  it('leaves as disconnected when it is closed, and as lost when it is cut or dead', async () => {
    const { address, clientToken, join, clock } = await openRoom()
    const ada = await join()
    const enter = async () => {
      const socket = await openSocket(address, { autoPong: false })
      socket.send({ type: 'join', token: await clientToken() })
      await socket.receives('joined')
      return socket
    }
    const reasons = () => ada.received.flatMap((event) => (event.type === 'connectionDestroyed' ? event.reason : []))
    const [closed, cut, dead] = [await enter(), await enter(), await enter()]
    closed.close()
    await ada.receives('connectionDestroyed')
    cut.terminate()
    await clock.advance(19 * SECOND)
    expect(reasons()).toEqual(['clientDisconnected', 'networkDisconnected'])
    await clock.advance(1 * SECOND)
    expect(await dead.ended).toBe(1006)
    await ada.signal({ data: '' })
    expect(reasons().slice(2)).toEqual(['networkDisconnected'])
  })

  it('is cut when too much waits for a participant who does not read', async () => {
    const { address, clientToken, join } = await openRoom()
    const ada = await join()
    const socket = await openSocket(address)
    socket.send({ type: 'join', token: await clientToken() })
    const { id } = (await ada.receives('connectionCreated')).connection
    socket.pause()
    const lost = ada.receives('connectionDestroyed')
    const signal = { data: '\u0000'.repeat(8_192) } // six times as long when it is escaped
    const left = ada.signal(signal, id).then(function again(): Promise<void> {
      return ada.signal(signal, id).then(again)
    })
    await expect(left).rejects.toThrow('The session has no such connection.')
    expect((await lost).reason).toBe('networkDisconnected')
  })

  it('is closed with the server, and leaves no port behind', async () => {
    const { join, server, url } = await openRoom()
    const people = await Promise.all(Array.from({ length: 5 }, () => join()))
    await server.close()
    expect(await Promise.all(people.map(({ left }) => left))).toEqual(people.map(() => 'networkDisconnected'))
    await expect(join()).rejects.toThrow(
      `The sandbox at ${url} closed the connection before the join: check that it is running.`,
    )
  })

  it('is one of two hundred', async () => {
    const { address, clientToken, call, sessionId } = await openRoom()
    const token = await clientToken({ role: 'subscriber' })
    const enter = async () => {
      const socket = await openSocket(address)
      socket.send({ type: 'join', token })
      await socket.receives('joined')
      return socket
    }
    const crowd = await Promise.all(Array.from({ length: 200 }, enter))
    await call('signalSession', { sessionId, data: 'hello' })
    await Promise.all(crowd.map(({ receives }) => receives('signal')))
    const [first, ...others] = crowd
    first?.close()
    await Promise.all(others.map(({ receives }) => receives('connectionDestroyed')))
  })

  it.each([
    [{ headers: { host: 'example.com' } }, 403],
    [{ origin: 'https://example.com' }, 403],
    [{ protocol: 'participant.v2' }, 400],
    [{ path: '/sandbox/participants' }, 404],
  ])('is refused with %j', async ({ path, protocol, ...options }: Attempt, status) => {
    const { address } = await openRoom()
    const url = path ? new URL(path, address) : address
    const socket = protocol ? new WebSocket(url, protocol, options) : new WebSocket(url, options)
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode)
      response.resume()
    })
    socket.on('error', () => {})
    expect(await promise).toBe(status)
    socket.terminate()
  })

  it('ignores other upgrades, and answers their requests', async () => {
    const { server, url } = await openRoom()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const headers = [
      'Host: 127.0.0.1',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      `Authorization: Bearer ${server.controlToken}`,
      'HTTP2-Settings: AAMAAABk',
    ]
    socket.write(`GET /sandbox/clock HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
    const [answer] = (await new Promise((resolve) => socket.once('data', (data) => resolve([data])))) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 OK/)
    socket.destroy()
  })
})

interface Attempt {
  readonly path?: string
  readonly protocol?: string
  readonly origin?: string
  readonly headers?: Record<string, string>
}
