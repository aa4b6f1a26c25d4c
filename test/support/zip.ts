import { crc32 } from 'node:zlib'

/** The files of a zip without compression, in its order, each held to its CRC-32 and to its own header. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  return new Map(
    readZipDirectory(zip, zip.length).map(({ name, size, crc, offset }) => {
      const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
      const bytes = zip.subarray(start, start + size)
      const isTrue =
        zip.toString('latin1', offset, offset + 4) === 'PK\x03\x04' &&
        zip.toString('utf8', offset + 30, offset + 30 + name.length) === name &&
        zip.readUInt32LE(offset + 14) === crc &&
        bytes.length === size &&
        crc32(bytes) === crc
      if (!isTrue) throw new Error(`${name} is not what the zip's directory says.`)
      return [name, bytes]
    }),
  )
}

export interface ZipRecord {
  readonly name: string
  readonly size: number
  readonly crc: number
  readonly offset: number
  /** Milliseconds since the epoch, taken as UTC. */
  readonly modifiedAt: number
}

/** What the directory says, ZIP64 included. `end` is the last part of a zip of so many bytes, its directory at least. */
export function readZipDirectory(end: Buffer, length: number): ZipRecord[] {
  const tail = end.length - 22
  if (end.toString('latin1', tail, tail + 4) !== 'PK\x05\x06') throw new Error('This is no zip without a comment.')
  const skipped = length - end.length
  const big = (at: number) => Number(end.readBigUInt64LE(at))
  const isBig = end.readUInt32LE(tail + 16) === 0xffffffff || end.readUInt16LE(tail + 10) === 0xffff
  const record = isBig ? big(tail - 20 + 8) - skipped : tail
  if (isBig && end.toString('latin1', record, record + 4) !== 'PK\x06\x06') throw new Error('The ZIP64 end is missing.')
  const count = isBig ? big(record + 32) : end.readUInt16LE(tail + 10)
  let at = (isBig ? big(record + 48) : end.readUInt32LE(tail + 16)) - skipped
  return Array.from({ length: count }, () => {
    if (end.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('A record of the directory is missing.')
    if (end.readUInt16LE(at + 10) !== 0) throw new Error('This zip is compressed.')
    const nameLength = end.readUInt16LE(at + 28)
    let extra = at + 46 + nameLength + 4
    const either = (field: number) => {
      if (end.readUInt32LE(field) !== 0xffffffff) return end.readUInt32LE(field)
      extra += 8
      return big(extra - 8)
    }
    const packed = either(at + 20)
    const size = either(at + 24)
    const offset = either(at + 42)
    if (packed !== size) throw new Error('This zip is compressed.')
    const found = {
      name: end.toString('utf8', at + 46, at + 46 + nameLength),
      size,
      crc: end.readUInt32LE(at + 16),
      offset,
      modifiedAt: readDosTime(end.readUInt16LE(at + 14), end.readUInt16LE(at + 12)),
    }
    at += 46 + nameLength + end.readUInt16LE(at + 30) + end.readUInt16LE(at + 32)
    return found
  })
}

const readDosTime = (date: number, time: number) =>
  Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, 2 * (time & 31))
