import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { type Content, responseOf } from '../../../local/cloud/large-response.ts'
import { listen } from '../../../local/cloud/server.ts'

const MIB = 1024 * 1024

/** Mebibytes of one number each, put where the caller wants them. */
const counting = (from: number, count: number, release = () => {}): Content => ({
  async *bytes(memory) {
    for (let number = from; number < from + count; number++)
      yield (memory ?? Buffer.alloc(MIB)).fill(number).subarray(0, MIB)
  },
  release,
})
const expected = (from: number, count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(MIB, from + n)))
const sized = (count: number) => ({ headers: { 'content-length': String(count * MIB) } })

describe('responseOf', () => {
  it('is sent whole to readers that come at once and take their time', async () => {
    const { url, close } = await listen(async (request) =>
      responseOf(counting(Number(new URL(request.url).pathname.slice(1)), 9), { ...sized(9), status: 206 }),
    )
    const read = async (from: number) => {
      const [answer] = (await once(get(`${url}/${from}`), 'response')) as [IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of answer) {
        chunks.push(chunk)
        await new Promise(setImmediate)
      }
      expect(answer.statusCode).toBe(206)
      return Buffer.concat(chunks).equals(expected(from, 9))
    }
    expect(await Promise.all([1, 50, 100].map(read))).toEqual([true, true, true])
    await close()
  })

  it('is a stream for callers without a socket', async () => {
    const release = vi.fn()
    const response = responseOf(counting(1, 3, release), {})
    expect(Buffer.from(await response.arrayBuffer()).equals(expected(1, 3))).toBe(true)
    expect(release).toHaveBeenCalledOnce()
    const left = vi.fn()
    await responseOf(counting(1, 3, left), {}).body?.cancel()
    expect(left).toHaveBeenCalledOnce()
  })

  it('is let go of when its reader turns away', async () => {
    const { promise: released, resolve } = Promise.withResolvers<void>()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { url, close } = await listen(async () => responseOf(counting(0, 200, resolve), sized(200)))
    const [answer] = (await once(get(url), 'response')) as [IncomingMessage]
    answer.destroy()
    await released
    expect(log).not.toHaveBeenCalled() // a disconnect is not a fault
    log.mockRestore()
    await close()
  })

  it('ends where its content fails, reports the fault, and is released', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const release = vi.fn()
    const fault = new Error('The disk is gone.')
    const failing: Content = {
      async *bytes(memory = Buffer.alloc(MIB)) {
        yield memory.subarray(0, MIB)
        throw fault
      },
      release,
    }
    const { url, close } = await listen(async () => responseOf(failing, sized(2)))
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow()
    expect(release).toHaveBeenCalledOnce()
    expect(log).toHaveBeenCalledExactlyOnceWith(fault)
    log.mockRestore()
    await close()
  })
})
