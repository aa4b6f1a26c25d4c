import { describe, expect, it } from 'vitest'
import { readInBlocks } from '../../../../lib/media/audio/block-reader.ts'
import { type ByteSource, countReads } from '../../../../lib/media/byte-source.ts'

const MB = 2 ** 20
/** Every byte is computed from its position. */
const byteAt = (place: number) => (place * 31 + (place >> 12)) & 255
const endless = (size: number): ByteSource => ({
  size,
  async read(start, end) {
    const bytes = new Uint8Array(end - start)
    for (let n = 0; n < bytes.length; n++) bytes[n] = byteAt(start + n)
    return bytes
  },
})

describe('readInBlocks', () => {
  it('returns the bytes of the source, also across blocks and for long ranges', async () => {
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

  it('reads 4 MiB at once for consecutive packets', async () => {
    const counted = countReads(endless(20 * MB))
    const source = readInBlocks(counted)
    for (let at = 0; at + 300 < counted.size; at += 20_000) await source.read(at, at + 300)
    expect(counted).toMatchObject({ reads: 5, bytesRead: 20 * MB })
  })

  it('skips blocks in which nothing is wanted', async () => {
    const counted = countReads(endless(400 * MB))
    const source = readInBlocks(counted)
    for (let at = 0; at < counted.size; at += 100 * MB) await source.read(at, at + 300)
    expect(counted.reads).toBeLessThan(4 + 3)
  })

  it('passes failures on, and reads again on the next request', async () => {
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
