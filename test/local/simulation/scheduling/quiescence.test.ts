import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createQuiescence, type Quiescence } from '../../../../local/simulation/scheduling/quiescence.ts'

describe('createQuiet', () => {
  let quiescence: Quiescence
  beforeEach(() => {
    quiescence = createQuiescence()
  })
  afterEach(() => quiescence.close())

  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const digest = (bytes: number) => crypto.subtle.digest('SHA-512', new Uint8Array(bytes))

  it('waits for promises, ticks, immediates and WebCrypto, however deep', async () => {
    const happened: string[] = []
    quiescence.enter(async () => {
      for (let depth = 0; depth < 5; depth++) {
        await turn()
        await new Promise<void>((resolve) => process.nextTick(resolve))
        await digest(1_000_000)
      }
      happened.push('the end')
    })
    await quiescence.settle()
    expect(happened).toEqual(['the end'])
  })

  it('waits for the promises of ticks that are queued beside others', async () => {
    const happened: string[] = []
    const work = async (name: string) => {
      for (let depth = 0; depth < 20; depth++) await undefined
      happened.push(name)
    }
    quiescence.enter(() => {
      process.nextTick(() => void work('a'))
      process.nextTick(() => void work('b').then(() => process.nextTick(() => void work('c'))))
    })
    await quiescence.settle()
    expect(happened).toEqual(['a', 'b', 'c'])
    await quiescence.settle()
  })

  it('hands out results of WebCrypto in the order in which they were asked for', async () => {
    const order: number[] = []
    const sizes = [8_000_000, 1, 2_000_000, 10]
    quiescence.enter(() => sizes.map((size) => digest(size).then(() => order.push(size))))
    await quiescence.settle()
    expect(order).toEqual(sizes)
  })

  it('lets what one result sets off come to its end before it hands out the next', async () => {
    const order: string[] = []
    const work = async (name: string) => {
      await digest(1)
      for (let turns = 0; turns < 3; turns++) await turn()
      order.push(name)
    }
    quiescence.enter(() => [work('a'), work('b')])
    await quiescence.settle()
    expect(order).toEqual(['a', 'b'])
  })

  it('hands out failures of WebCrypto too', async () => {
    const failed = quiescence.enter(() =>
      crypto.subtle.digest('no such digest', new Uint8Array(1)).catch(() => 'failed'),
    )
    await quiescence.settle()
    await expect(failed).resolves.toBe('failed')
  })

  it.each([
    ['a file', 'FSREQPROMISE', () => readFile('package.json')],
    ['a timer of this machine', 'Timeout', () => new Promise((resolve) => setTimeout(resolve, 1))],
  ])('refuses to wait for %s', async (_what, name, work) => {
    const working = quiescence.enter(work)
    await expect(quiescence.settle()).rejects.toThrow(`waits for ${name}, whose end no seed decides`)
    await working
  })

  it('does not mind a timer that was cleared, or that holds nothing up', async () => {
    quiescence.enter(() => {
      clearTimeout(setTimeout(() => {}, 1_000))
      AbortSignal.timeout(60_000)
    })
    await quiescence.settle()
  })

  it('leaves alone what happens outside', async () => {
    const outside = digest(1)
    const file = readFile('package.json')
    await quiescence.settle()
    await expect(outside).resolves.toHaveProperty('byteLength', 64)
    await file
  })

  it('keeps simulations apart', async () => {
    const other = createQuiescence()
    const order: string[] = []
    other.enter(() => digest(1).then(() => order.push('other')))
    quiescence.enter(() => digest(1).then(() => order.push('this')))
    await quiescence.settle()
    expect(order).toEqual(['this'])
    await other.settle()
    expect(order).toEqual(['this', 'other'])
    other.close()
  })

  it('gives WebCrypto back when it is closed', async () => {
    expect(Object.hasOwn(crypto.subtle, 'digest')).toBe(true)
    const other = createQuiescence()
    other.close()
    expect(Object.hasOwn(crypto.subtle, 'digest')).toBe(true)
    quiescence.close()
    expect(Object.hasOwn(crypto.subtle, 'digest')).toBe(false)
    quiescence = createQuiescence()
  })
})
