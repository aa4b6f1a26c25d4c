import { describe, expect, it } from 'vitest'
import { readInBlocks } from '../../../../lib/media/audio/block-reader.ts'
import { type ByteSource, countReads } from '../../../../lib/media/byte-source.ts'

const MB = 2 ** 20
/** Every byte tells its place. */
const byteAt = (place: number) => (place * 31 + (place >> 12)) & 255
const endless = (size: number): ByteSource => ({
  size,
  async read(start, end) {
    const bytes = new Uint8Array(end - start)
    for (let n = 0; n < bytes.length; n++) bytes[n] = byteAt(start + n)
    return bytes
  },
})

describe('readInGulps', () => {
  it('gives the bytes of the source, also where they lie across gulps or are many', async () => {
    const source = readInBlocks(endless(10 * MB + 3))
    for (const [start, end] of [
      [0, 5],
      [4 * MB - 2, 4 * MB + 2],
      [10 * MB, 10 * MB + 3],
      [1, 9 * MB],
    ] as const) {
      const bytes = await source.read(start, end)
      expect(bytes).toHaveLength(end - start)
      for (let n = 0; n < bytes.length; n += 4099) expect(bytes[n]).toBe(byteAt(start + n))
    }
  })

  it('makes a read for every 4 MiB of packets that follow one another', async () => {
    const counted = countReads(endless(20 * MB))
    const source = readInBlocks(counted)
    for (let at = 0; at + 300 < counted.size; at += 20_000) await source.read(at, at + 300)
    expect(counted).toMatchObject({ reads: 5, bytesRead: 20 * MB })
  })

  it('leaves out gulps in which nothing is wanted', async () => {
    const counted = countReads(endless(400 * MB))
    const source = readInBlocks(counted)
    for (let at = 0; at < counted.size; at += 100 * MB) await source.read(at, at + 300)
    expect(counted.reads).toBeLessThan(4 + 3)
  })

  it('passes failures on, and asks again when it is asked again', async () => {
    const lost = new Error('connection reset')
    let failures = 1
    const bytes = endless(MB)
    const source = readInBlocks({
      size: bytes.size,
      read: (start, end) => (failures-- > 0 ? Promise.reject(lost) : bytes.read(start, end)),
    })
    await expect(source.read(0, 10)).rejects.toBe(lost)
    expect(await source.read(0, 10)).toHaveLength(10)
  })
})
