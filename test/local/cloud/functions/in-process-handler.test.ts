import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import {
  createInProcessHandler,
  type SdkRequest,
  signByClock,
} from '../../../../local/cloud/functions/in-process-handler.ts'

const request: SdkRequest = { method: 'PUT', protocol: 'http:', hostname: 'a.invalid', path: '/b%20c', headers: {} }

describe('createInProcessHandler', () => {
  const seen = async (more: Partial<SdkRequest>) => {
    const requests: { url: string; headers: Record<string, string>; body: string }[] = []
    const { handle } = createInProcessHandler(async (given) => {
      requests.push({ url: given.url, headers: Object.fromEntries(given.headers), body: await given.text() })
      return new Response('answer', { status: 201, headers: { 'x-a': 'b' } })
    })
    const { response } = await handle({ ...request, ...more })
    return { response, request: requests[0] }
  }

  it('hands over method, address, headers and body, and gives back a stream', async () => {
    const query = { list: ['1', '2'], 'a b': "'c'", none: null }
    const { request, response } = await seen({ port: 81, query, headers: { 'x-amz-date': 'now' }, body: 'text' })
    expect(request?.url).toBe('http://a.invalid:81/b%20c?list=1&list=2&a%20b=%27c%27&none')
    expect(request?.headers).toEqual({ 'x-amz-date': 'now', 'content-length': '4' })
    expect(request?.body).toBe('text')
    expect(response).toMatchObject({ statusCode: 201, headers: { 'x-a': 'b' } })
    expect((await response.body.toArray()).join('')).toBe('answer')
  })

  it.each([
    ['nothing', undefined, ''],
    ['bytes', Buffer.from('bytes'), 'bytes'],
    ['a Readable', Readable.from([Buffer.from('in '), Buffer.from('pieces')]), 'in pieces'],
    ['a ReadableStream', new Blob(['web']).stream(), 'web'],
  ])('takes %s as a body', async (_what, body, expected) => {
    expect((await seen({ body })).request?.body).toBe(expected)
  })

  it('refuses a body it cannot send', async () => {
    await expect(seen({ body: 5 })).rejects.toThrow('must be text, bytes or a stream')
  })

  it('ends at once when it is aborted', async () => {
    const { handle } = createInProcessHandler(() => new Promise(() => {}))
    const controller = new AbortController()
    const body = new Readable({ read() {} })
    const waiting = handle({ ...request, body }, { abortSignal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(body.destroyed).toBe(true)
    await expect(handle(request, { abortSignal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('signByClock', () => {
  it('offsets the client’s time to the clock’s, also after corrections of the SDK', async () => {
    const clock = createSteppedClock(Date.UTC(2030, 0, 1))
    const client = { config: { systemClockOffset: 0 } }
    signByClock(client, clock)
    const apart = () => Math.abs(Date.now() + client.config.systemClockOffset - clock.now())
    client.config.systemClockOffset = 5
    expect(apart()).toBeLessThan(1000)
    await clock.advance(86_400_000)
    expect(apart()).toBeLessThan(1000)
  })
})
