import { describe, expect, it } from 'vitest'
import { measure, writeZip, type ZipEntry } from '../../../../../../local/sandbox/media/engine/individual/zip.ts'
import { readZip, readZipDirectory } from '../../../../../support/zip.ts'

const WHEN = Date.UTC(2026, 10, 20, 9, 15, 58)

async function entry(name: string, ...chunks: string[]): Promise<ZipEntry> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk))
  return { name, open: () => bytes, ...(await measure(bytes)) }
}

async function pack(entries: readonly ZipEntry[], when = WHEN): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writeZip(entries, when)))
}

/** Creates a file of many gigabytes that repeats one block. */
function large(name: string, gigabytes: number): ZipEntry {
  const block = Buffer.alloc(64 * 1024 ** 2)
  const count = 16 * gigabytes
  return { name, size: block.length * count, crc: 1, open: () => Array.from({ length: count }, () => block) }
}

/** Returns the directory of a zip, and keeps only the chunks at its end. */
async function directoryOf(entries: readonly ZipEntry[]) {
  let length = 0
  let end: Uint8Array[] = []
  for await (const piece of writeZip(entries, WHEN)) {
    length += piece.length
    end = piece.length > 1024 ** 2 ? [] : [...end, piece]
  }
  return readZipDirectory(Buffer.concat(end), length)
}

describe('writeZip', () => {
  it('packs files that a reader can unpack', async () => {
    const zip = await pack([await entry('a.webm', 'first ', 'file'), await entry('empty'), await entry('b.json', '{}')])
    expect([...readZip(zip)].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ['a.webm', 'first file'],
      ['empty', ''],
      ['b.json', '{}'],
    ])
    expect(readZipDirectory(zip, zip.length).map(({ modifiedAt }) => modifiedAt)).toEqual([WHEN, WHEN, WHEN])
  })

  it('dates a file within the years of the format', async () => {
    const dateOf = async (when: number) => {
      const zip = await pack([await entry('a', '')], when)
      return readZipDirectory(zip, zip.length)[0]?.modifiedAt
    }
    expect(await dateOf(0)).toBe(Date.UTC(1980))
    expect(await dateOf(Date.UTC(2200))).toBe(Date.UTC(2107, 11, 31, 23, 59, 58))
  })

  it('packs nothing into an empty zip', async () => {
    expect(readZip(await pack([])).size).toBe(0)
  })

  it('writes the same bytes for the same files', async () => {
    const make = async () => pack([await entry('a', 'same')])
    expect(await make()).toEqual(await make())
  })

  it('writes files beyond 4 GiB, and those that begin there, as ZIP64', async () => {
    const gibibyte = 1024 ** 3
    const records = await directoryOf([
      large('small', 1),
      large('large', 4),
      large('behind', 1),
      await entry('manifest.json', '{}'),
    ])
    expect(records.map(({ name, size }) => [name, size])).toEqual([
      ['small', gibibyte],
      ['large', 4 * gibibyte],
      ['behind', gibibyte],
      ['manifest.json', 2],
    ])
    const headers = records.map(({ offset }, index) => offset - (index > 0 ? (records[index - 1]?.offset ?? 0) : 0))
    expect(headers).toEqual([0, gibibyte + 35, 4 * gibibyte + 35 + 20, gibibyte + 36])
  })

  it('writes more than 65,535 files as ZIP64', async () => {
    const one = await entry('same', '')
    const zip = await pack(Array.from({ length: 65_536 }, () => one))
    expect(readZipDirectory(zip, zip.length)).toHaveLength(65_536)
  })

  it('refuses a file of another length than announced', async () => {
    const wrong = { ...(await entry('a', 'four')), size: 5 }
    await expect(pack([wrong])).rejects.toThrow('a has 4 bytes and not 5.')
  })
})
