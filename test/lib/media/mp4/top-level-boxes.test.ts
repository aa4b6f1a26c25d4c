import { describe, expect, it } from 'vitest'
import { locateMoov } from '../../../../lib/media/mp4/top-level-boxes.ts'
import { inMemory } from '../clips.ts'
import { countReads } from '../count-reads.ts'

const box = (type: string, content = 0, claimed = content + 8) => {
  const bytes = Buffer.alloc(8 + content)
  bytes.writeUInt32BE(claimed, 0)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const largeBox = (type: string, content: number) => {
  const bytes = Buffer.alloc(16 + content)
  bytes.writeUInt32BE(1, 0)
  bytes.write(type, 4, 'latin1')
  bytes.writeBigUInt64BE(BigInt(16 + content), 8)
  return bytes
}
const ftyp = Buffer.concat([box('ftyp', 0, 16), Buffer.from('isom\0\0\0\0')])
const locate = (...parts: Uint8Array[]) => locateMoov(inMemory(Buffer.concat(parts)))

describe('locateMoov', () => {
  it('distinguishes an index before the media from one after it', async () => {
    expect(await locate(ftyp, box('moov', 8), box('mdat', 99))).toBe('front')
    expect(await locate(ftyp, box('free'), box('mdat', 99), box('moov', 8))).toBe('end')
  })

  it('recognises fragments and stops at the first', async () => {
    const counted = countReads(inMemory(Buffer.concat([ftyp, box('moov', 8), box('moof', 8), box('mdat', 9)])))
    expect(await locateMoov(counted)).toBe('fragmented')
    expect(counted.reads).toBe(3)
  })

  it('follows 64-bit sizes and a last box that extends to the end of the file', async () => {
    expect(await locate(ftyp, largeBox('mdat', 99), box('moov', 8))).toBe('end')
    expect(await locate(ftyp, box('moov', 8), box('mdat', 99, 0))).toBe('front')
  })

  it.each([
    ['zero bytes', [], 'The file is empty: it has zero bytes.'],
    ['text', [Buffer.from('just some words, nothing to watch')], /not an MP4/],
    ['three bytes', [Buffer.from('abc')], /not an MP4/],
    ['a QuickTime movie', [box('ftyp', 0, 16), Buffer.from('qt  \0\0\0\0'), box('moov', 8)], /QuickTime/],
    ['no index', [ftyp, box('mdat', 99)], /no moov box/],
    [
      'media that are cut',
      [ftyp, box('moov', 8), box('mdat', 50, 108)],
      'The file is cut off: its mdat box ends at byte 140, the file at byte 90.',
    ],
    ['an index that is cut', [ftyp, box('mdat', 8), box('moov', 8, 99)], /cut off: its moov box/],
    ['a header that is cut', [ftyp, box('moov', 8), Buffer.alloc(5)], /cut off inside the header/],
    [
      'a size that cannot be',
      [ftyp, box('free', 0, 4), box('moov', 8)],
      /damaged: the box at byte 16 claims a size of 4/,
    ],
    [
      'a 64-bit size that cannot be',
      [ftyp, Buffer.concat([box('free', 0, 1), Buffer.alloc(8)]), box('moov', 8)],
      /damaged: the box at byte 16 claims a size of 0/,
    ],
    ['more boxes than any recording', [ftyp, ...Array.from({ length: 1000 }, () => box('free'))], /more than 1000/],
  ])('refuses %s', async (_what, parts, message) => {
    const refusal = locate(...parts)
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toMatchObject({ name: 'MediaError' })
  })

  it('refuses an index too large to be read into memory', async () => {
    const head = Buffer.concat([ftyp, box('moov', 0, 2 ** 27)])
    const source = { size: 2 ** 28, read: async (start: number, end: number) => head.subarray(start, end) }
    await expect(locateMoov(source)).rejects.toThrow(/moov box claims 134217728 bytes/)
  })
})
