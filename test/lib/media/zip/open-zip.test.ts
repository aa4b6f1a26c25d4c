import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { openZip, type ZipEntry } from '../../../../lib/media/zip/open-zip.ts'
import { measure, writeZip } from '../../../../local/sandbox/media/engine/individual/zip.ts'
import { inMemory } from '../clips.ts'
import { countReads } from '../count-reads.ts'
import { type PackedFile, packZip } from './packed.ts'

const textOf = async (entry: ZipEntry | undefined) => (await entry?.load())?.toString()
const open = (files: readonly PackedFile[], options?: Parameters<typeof packZip>[1]) =>
  openZip(inMemory(packZip(files, options)))
const refusal = async (files: readonly PackedFile[]) => {
  const error = await open(files).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MediaError)
  return (error as MediaError).message
}

const song = { name: 'song.webm', bytes: 'la la la' }
const words = { name: 'words.json', bytes: 'word '.repeat(1000), isDeflated: true }

describe('openZip', () => {
  it('loads stored and deflated files', async () => {
    const [one, other] = await open([song, words])
    expect(one).toMatchObject({ name: 'song.webm', size: 8, isStored: true })
    expect(other).toMatchObject({ name: 'words.json', size: 5000, isStored: false })
    expect(await textOf(one)).toBe(song.bytes)
    expect(await textOf(other)).toBe(words.bytes)
  })

  it('reads ranges of a stored file in place', async () => {
    const counted = countReads(inMemory(packZip([{ name: 'large', bytes: Buffer.alloc(2 ** 20, 'abcd') }, song])))
    const [large] = await openZip(counted)
    expect(counted.reads).toBe(1)
    const before = counted.bytesRead
    const file = large?.data
    expect(Buffer.from((await file?.read(4, 10)) ?? []).toString()).toBe('abcdab')
    expect(counted.bytesRead - before).toBe(30 + 6)
    await file?.read(0, 4)
    expect(counted.bytesRead - before).toBe(30 + 6 + 4)
  })

  it('supports comments, even those that look like an end, sizes behind the data, and directories', async () => {
    const files = await open([{ name: 'files/' }, song, words], { comment: 'PK\x05\x06 a comment', isStreamed: true })
    expect(files.map(({ name }) => name)).toEqual(['song.webm', 'words.json'])
    expect(await Promise.all(files.map(textOf))).toEqual([song.bytes, words.bytes])
  })

  it('reads the ZIP64 of files beyond 4 GiB', async () => {
    const size = 5 * 2 ** 30
    const tail = Buffer.from('the end')
    let position = 0
    const chunk = Buffer.alloc(2 ** 26)
    const entries = [
      { name: 'huge.webm', size, crc: 1, open: () => Array.from({ length: size / chunk.length }, () => chunk) },
      { name: 'after.webm', open: () => [tail], ...(await measure([tail])) },
    ]
    const kept = new Map<number, Uint8Array>()
    for await (const piece of writeZip(entries, 0)) {
      if (piece !== chunk) kept.set(position, piece)
      position += piece.length
    }
    const source: ByteSource = {
      size: position,
      async read(from, to) {
        const bytes = Buffer.alloc(to - from)
        for (const [at, piece] of kept) {
          if (at < to && at + piece.length > from)
            Buffer.from(piece).copy(bytes, Math.max(0, at - from), Math.max(0, from - at))
        }
        return bytes
      },
    }
    const [huge, after] = await openZip(source)
    expect(huge?.size).toBe(size)
    expect(await textOf(after)).toBe('the end')
  })

  it.each([
    ['../out.webm', 'The zip cannot be read (invalid relative path: ../out.webm).'],
    ['a/../../out.webm', 'The zip cannot be read (invalid relative path: a/../../out.webm).'],
    ['/etc/passwd', 'The zip cannot be read (absolute path: /etc/passwd).'],
    ['C:/a.webm', 'The zip cannot be read (absolute path: C:/a.webm).'],
    ['..\\out.webm', 'The zip cannot be read (invalid characters in fileName: ..\\out.webm).'],
    ['a\nb.webm', 'The zip is refused: "a◙b.webm" has control characters in its name.'],
    ['', 'The zip is refused: "" has no name.'],
  ])('refuses the name %j', async (name, message) => {
    expect(await refusal([song, { name, bytes: 'x' }])).toBe(message)
  })

  it('refuses a bomb by its stated sizes, and by its real size when those are false', async () => {
    const zeros = { name: 'zeros.json', bytes: Buffer.alloc(2 ** 21), isDeflated: true }
    expect(await refusal([zeros])).toMatch(
      /^The zip is refused: "zeros.json" unpacks from \d+ bytes to 2097152, as only a zip bomb does\.$/,
    )
    const [liar] = await open([{ ...zeros, claims: { size: 1000 } }])
    await expect(textOf(liar)).rejects.toThrow('zeros.json does not unpack to the 1000 bytes it states.')
  })

  it('refuses overlapping files, repeated names and too many files', async () => {
    const twin = { name: 'twin.webm', bytes: 'la la la', claims: { offset: 0 } }
    expect(await refusal([song, twin])).toMatch('overlaps')
    expect(await refusal([song, song])).toMatch('"song.webm" is in it twice')
    const many = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}` }))
    expect(await refusal(many)).toMatch('it has 10001 files, more than 10000')
  })

  it('refuses encrypted files and unknown compression', async () => {
    expect(await refusal([{ ...words, flags: 1 }])).toBe('The zip is refused: "words.json" is encrypted.')
    expect(await refusal([{ ...song, claims: { method: 14 } }])).toMatch('has an unknown compression method')
  })

  it('names what is cut off, empty, damaged or not a zip', async () => {
    const zip = packZip([song, words])
    await expect(openZip(inMemory(zip.subarray(0, -30)))).rejects.toThrow('Either not a zip file, or file is truncated')
    await expect(openZip(inMemory(zip.subarray(10)))).rejects.toThrow('invalid central directory file header')
    await expect(openZip(inMemory(Buffer.alloc(0)))).rejects.toThrow('it has zero bytes')
    await expect(openZip(inMemory(Buffer.from('some text')))).rejects.toThrow('Either not a zip file')
    const damaged = Buffer.from(zip)
    damaged.write('xx', 30 + 9 + 4 + 2)
    const [one] = await openZip(inMemory(damaged))
    await expect(textOf(one)).rejects.toThrow('song.webm has another size or checksum than its directory says.')
    damaged.fill(255, 30 + 9 + 4 + 8 + 30 + 10 + 4)
    zip.subarray(-150).copy(damaged, damaged.length - 150)
    const [, other] = await openZip(inMemory(damaged))
    await expect(textOf(other)).rejects.toThrow(/words.json (does not unpack|has)/)
  })

  it('passes errors of the source through, and asks it again', async () => {
    const lost = new Error('connection reset')
    const zip = inMemory(packZip([song, words]))
    let isFailing = false
    const source = {
      size: zip.size,
      read: (a: number, b: number) => (isFailing ? Promise.reject(lost) : zip.read(a, b)),
    }
    const files = await openZip(source)
    isFailing = true
    for (const file of files) await expect(textOf(file)).rejects.toBe(lost)
    await expect(openZip(source)).rejects.toBe(lost)
    isFailing = false
    expect(await textOf(files[1])).toBe(words.bytes)
  })
})
