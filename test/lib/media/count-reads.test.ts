import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { inMemory } from './clips.ts'
import { countReads } from './count-reads.ts'

describe('countReads', () => {
  it('counts reads and bytes and passes the bytes on', async () => {
    const counted = countReads(inMemory(Buffer.from('abcdefgh')))
    expect(counted).toMatchObject({ size: 8, reads: 0, bytesRead: 0 })
    expect(Buffer.from(await counted.read(2, 5)).toString()).toBe('cde')
    await counted.read(0, 8)
    expect(counted).toMatchObject({ reads: 2, bytesRead: 11 })
  })

  it('counts a read that fails and passes its error through', async () => {
    const lost = new Error('connection reset')
    const source: ByteSource = { size: 8, read: () => Promise.reject(lost) }
    const counted = countReads(source)
    await expect(counted.read(0, 4)).rejects.toBe(lost)
    expect(counted.reads).toBe(1)
  })
})
