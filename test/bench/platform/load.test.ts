import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { load, requestBytes } from '../../../bench/platform/load.ts'

let close: () => void

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
afterEach(() => close())

describe('load', () => {
  it('sends every request once over several connections, for answers of any length', async () => {
    const seen: (string | undefined)[] = []
    const ports = new Set<number | undefined>()
    const origin = await serve(({ url, headers, socket }, response) => {
      seen.push(`${url} ${headers['x-service-auth']}`)
      ports.add(socket.remotePort)
      response.end('x'.repeat(seen.length * 10_000))
    })
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    const requests = numbers.map((n) => requestBytes(new URL(`/a?n=${n}`, origin), { 'x-service-auth': `t${n}` }))
    const { rate, latencies } = await load(origin, requests, 3)
    expect(seen.toSorted()).toEqual(numbers.map((n) => `/a?n=${n} t${n}`).toSorted())
    expect([ports.size, latencies.length]).toEqual([3, 20])
    expect(rate).toBeGreaterThan(0)
  })

  it.each<[string, RequestListener, RegExp]>([
    ['is refused', (_, response) => response.writeHead(403).end('{}'), /begins with HTTP\/1\.1 403/],
    ['is not answered', ({ socket }) => socket.destroy(), /closed a connection/],
  ])('fails when a request %s', async (_, listener, reason) => {
    const origin = await serve(listener)
    await expect(load(origin, [requestBytes(origin, {})], 1)).rejects.toThrow(reason)
  })
})
