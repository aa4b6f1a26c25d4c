import { describe, expect, it } from 'vitest'
import { createHandover } from '../../../../lib/aws/storage/handover.ts'

const one = Buffer.from('one')
const two = Buffer.from('two')

describe('createHandover', () => {
  it('passes bytes to the consumer in order, until the end', async () => {
    const { body, give, end } = createHandover()
    const given = (async () => {
      await give(one)
      await give(two)
      end()
    })()
    const read: Uint8Array[] = []
    for await (const bytes of body) read.push(bytes)
    await given
    expect(read).toEqual([one, two])
  })

  it('keeps bytes from being written over until the reader asks for more', async () => {
    const { body, give } = createHandover()
    const reader = body[Symbol.asyncIterator]()
    let isDone = false
    const given = give(one).then(() => {
      isDone = true
    })
    expect((await reader.next()).value).toBe(one)
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    const next = reader.next()
    await given
    void give(two)
    expect((await next).value).toBe(two)
  })

  it('fails the reader with what kept the bytes from coming', async () => {
    const { body, fail } = createHandover()
    const reader = body[Symbol.asyncIterator]()
    const next = reader.next()
    fail(new Error('no more'))
    await expect(next).rejects.toThrow('no more')
  })

  it('ignores a failure after the consumer stopped', async () => {
    const { fail } = createHandover()
    fail(new Error('unread')) // an unhandled rejection would fail the run
    await new Promise(setImmediate)
  })
})
