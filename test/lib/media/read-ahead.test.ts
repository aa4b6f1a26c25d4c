import { describe, expect, it } from 'vitest'
import { readAhead } from '../../../lib/media/read-ahead.ts'
import { inMemory } from './clips.ts'
import { countReads } from './count-reads.ts'

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
const TEN = { window: 100, kept: 3 }

describe('readAhead', () => {
  it('passes reads through until `begin`', async () => {
    const counted = countReads(inMemory(bytes))
    const ahead = readAhead(counted, TEN)
    await ahead.read(990, 1000)
    await ahead.read(0, 8)
    expect(counted).toMatchObject({ reads: 2, bytesRead: 18 })
  })

  it('fetches each window once for forward reads', async () => {
    const counted = countReads(inMemory(bytes))
    const ahead = readAhead(counted, TEN)
    ahead.begin()
    const parts = []
    for (let start = 0; start < 1000; start += 7) parts.push(await ahead.read(start, Math.min(1000, start + 7)))
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    expect(counted).toMatchObject({ reads: 10, bytesRead: 1000 })
  })

  it('peeks at fetched bytes, and reuses the memory of dropped windows only', async () => {
    const source = inMemory(bytes)
    const memories = new Set<ArrayBufferLike | undefined>()
    const noting = {
      size: source.size,
      read: (start: number, end: number, memory?: Uint8Array) => {
        memories.add(memory?.buffer)
        return source.read(start, end)
      },
    }
    const ahead = readAhead(noting, TEN)
    ahead.begin()
    expect(ahead.peek(0, 7)).toBeUndefined()
    const kept = await ahead.read(0, 7)
    for (let start = 0; start < 993; start += 7) {
      const read = await ahead.read(start, start + 7)
      expect(Buffer.from(ahead.peek(start, start + 7) ?? read).equals(bytes.subarray(start, start + 7))).toBe(true)
    }
    expect(memories.size).toBeLessThanOrEqual(TEN.kept + 2)
    expect(Buffer.from(kept).equals(bytes.subarray(0, 7))).toBe(true) // what was read is the reader's
  })

  it('fetches each window once for two readers, one of them a window ahead', async () => {
    const counted = countReads(inMemory(bytes))
    const ahead = readAhead(counted, { window: 100, kept: 4 })
    ahead.begin()
    const take = async (start: number) => ahead.peek(start, start + 5) ?? (await ahead.read(start, start + 5))
    for (let start = 0; start < 900; start += 5) {
      expect((await take(start + 100))[0]).toBe(bytes[start + 100])
      expect((await take(start))[0]).toBe(bytes[start])
    }
    expect(counted.bytesRead).toBe(1000)
  })

  it('passes reads larger than a window through', async () => {
    const counted = countReads(inMemory(bytes))
    const ahead = readAhead(counted, TEN)
    ahead.begin()
    expect(Buffer.from(await ahead.read(50, 450)).equals(bytes.subarray(50, 450))).toBe(true)
    expect(counted.reads).toBe(1)
  })

  it('fetches several windows ahead, and skips those in which nothing is wanted', async () => {
    const starts: number[] = []
    const source = inMemory(bytes)
    const noting = {
      size: source.size,
      read: (start: number, end: number) => {
        starts.push(start)
        return source.read(start, end)
      },
    }
    const ahead = readAhead(noting, { window: 100, kept: 4, ahead: 2 })
    ahead.begin()
    await ahead.read(0, 5)
    expect(starts).toEqual([0])
    await ahead.read(100, 105)
    expect(starts).toEqual([0, 100, 200, 300])
    await ahead.read(900, 905)
    expect(starts).toEqual([0, 100, 200, 300, 900])
  })

  it('fetches a window again after a failure', async () => {
    let down = true
    const ahead = readAhead(
      {
        size: 1000,
        read: async (start, end) => {
          if (down) throw new Error('down')
          return bytes.subarray(start, end)
        },
      },
      TEN,
    )
    ahead.begin()
    await expect(ahead.read(0, 10)).rejects.toThrow('down')
    down = false
    expect(Buffer.from(await ahead.read(0, 10)).equals(bytes.subarray(0, 10))).toBe(true)
  })
})
