import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { listen, openListener } from '../../../local/cloud/server.ts'

const hello = async () => new Response('hello')

/** The status of a request with these headers; Node's own `fetch` would not let a Host through. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const [answer] = (await once(get(url, { headers, agent: new Agent() }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

describe('listen', () => {
  it('serves this machine, and refuses other host names', async () => {
    const { url, close } = await listen(hello)
    const { port } = new URL(url)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await fetch(url)).text()).toBe('hello')
    for (const host of [`localhost:${port}`, '127.0.0.1', `[::1]:${port}`])
      expect([host, await statusOf(url, { host })]).toEqual([host, 200])
    for (const host of ['attacker.example', `127.0.0.1.attacker.example:${port}`, `attacker.example@localhost:${port}`])
      expect([host, await statusOf(url, { host })]).toEqual([host, host.includes('@') ? 400 : 403])
    await close()
  })

  it('serves pages of this machine, and none of other sites', async () => {
    const { url, close } = await listen(hello)
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:80', url])
      expect([origin, await statusOf(url, { origin })]).toEqual([origin, 200])
    for (const origin of ['https://attacker.example', 'http://localhost.attacker.example', 'null'])
      expect([origin, await statusOf(url, { origin })]).toEqual([origin, 403])
    await close()
  })

  it('serves pages of other origins that its handler names', async () => {
    const listener = await openListener()
    listener.answer(async () => new Response('served'), ['https://app.example.com'])
    const statusFor = async (origin: string) => (await fetch(listener.url, { headers: { origin } })).status
    expect(await statusFor('https://app.example.com')).toBe(200)
    expect(await statusFor('https://app.example.com.evil.example')).toBe(403)
    await listener.close()
  })

  it('says in a sentence that a port is taken', async () => {
    const { url, close } = await listen(hello)
    const port = Number(new URL(url).port)
    await expect(listen(hello, port)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another.`,
    )
    await close()
  })

  it('prints a fault and hides it from clients', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fault = new Error('at /home/ann')
    const { url, close } = await listen(() => Promise.reject(fault))
    const answer = await fetch(url)
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'Internal Server Error' }])
    expect(log).toHaveBeenCalledWith(fault)
    log.mockRestore()
    await close()
  })

  it('ends connections that are kept, and requests under way, when it closes', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const { url, close } = await listen(async (request) => {
      if (request.url.endsWith('/kept')) return hello()
      resolve()
      return new Promise(() => {})
    })
    const kept = connect(Number(new URL(url).port), '127.0.0.1').resume()
    kept.write('GET /kept HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(kept, 'data')
    const underWay = expect(fetch(`${url}/endless`)).rejects.toThrow()
    await begun
    const ended = once(kept, 'close')
    await close()
    await Promise.all([ended, underWay])
    await expect(fetch(url)).rejects.toThrow()
  })
})

describe('openListener', () => {
  it('holds its port, answers 503 until it gets its handler, and closes more than once', async () => {
    const { url, answer, close } = await openListener()
    const port = Number(new URL(url).port)
    await expect(openListener(port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`)
    const early = await fetch(url)
    expect([early.status, await early.json()]).toEqual([503, { message: 'Showrunner is starting.' }])
    answer(hello)
    expect(await (await fetch(url)).text()).toBe('hello')
    await close()
    await close()
    await expect(fetch(url)).rejects.toThrow()
  })
})
