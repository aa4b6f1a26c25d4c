import { crc32 } from 'node:zlib'

/** A file to be packed; its bytes are read once. */
export interface ZipEntry {
  /** ASCII, without a directory. */
  readonly name: string
  readonly size: number
  /** CRC-32 of the bytes, which precedes them. */
  readonly crc: number
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Writes a zip in chunks: the files without compression, which does not help media, and then their directory. Only values
 * beyond 4 GiB or 65,535 files use ZIP64 (APPNOTE 6.3.10, 4.3.14 and 4.5.3), so that old readers can read the rest.
 * `modifiedAt` is in milliseconds since the epoch and is written in UTC.
 */
export async function* writeZip(entries: readonly ZipEntry[], modifiedAt: number): AsyncGenerator<Uint8Array> {
  const time = dosTime(modifiedAt)
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const header = localHeader(entry, time)
    directory.push(directoryRecord(entry, time, offset))
    yield header
    let written = 0
    for await (const chunk of entry.open()) {
      yield chunk
      written += chunk.length
    }
    if (written !== entry.size) throw new Error(`${entry.name} has ${written} bytes and not ${entry.size}.`)
    offset += header.length + written
  }
  yield* directory
  yield endOfDirectory(entries.length, offset, Buffer.concat(directory).length)
}

/** Returns the CRC-32 and the number of bytes. */
export async function measure(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ size: number; crc: number }> {
  let size = 0
  let crc = 0
  for await (const chunk of bytes) {
    size += chunk.length
    crc = crc32(chunk, crc)
  }
  return { size, crc }
}

const MAX_UINT16 = 0xffff
const MAX_UINT32 = 0xffffffff
const ZIP64_EXTRA = 1
const isBig = (value: number) => value >= MAX_UINT32

interface DosTime {
  readonly date: number
  readonly time: number
}

/** Converts a time, in steps of two seconds. Times before 1980 or after 2107 become the first or last possible one. */
function dosTime(ms: number): DosTime {
  const at = new Date(Math.min(Math.max(ms, Date.UTC(1980)), Date.UTC(2108) - 1))
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

/** Writes the fields that local headers and directory records share, from the version needed. */
function description({ name, size, crc }: ZipEntry, { date, time }: DosTime, extra: Buffer): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(extra.length ? 45 : 20, 0)
  fields.writeUInt16LE(time, 6)
  fields.writeUInt16LE(date, 8)
  fields.writeUInt32LE(crc, 10)
  fields.writeUInt32LE(Math.min(size, MAX_UINT32), 14)
  fields.writeUInt32LE(Math.min(size, MAX_UINT32), 18)
  fields.writeUInt16LE(name.length, 22)
  fields.writeUInt16LE(extra.length, 24)
  return fields
}

function localHeader(entry: ZipEntry, time: DosTime): Buffer {
  const extra = zip64Extra(isBig(entry.size) ? [entry.size, entry.size] : [])
  return Buffer.concat([Buffer.from('PK\x03\x04'), description(entry, time, extra), Buffer.from(entry.name), extra])
}

function directoryRecord(entry: ZipEntry, time: DosTime, offset: number): Buffer {
  const extra = zip64Extra([...(isBig(entry.size) ? [entry.size, entry.size] : []), ...(isBig(offset) ? [offset] : [])])
  const madeBy = Buffer.from([extra.length ? 45 : 20, 0])
  const rest = Buffer.alloc(14) // no comment, first disk, no attributes
  rest.writeUInt32LE(Math.min(offset, MAX_UINT32), 10)
  const fields = description(entry, time, extra)
  return Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, fields, rest, Buffer.from(entry.name), extra])
}

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(ZIP64_EXTRA, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  })
  return extra
}

function endOfDirectory(count: number, start: number, length: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(Math.min(count, MAX_UINT16), 8)
  end.writeUInt16LE(Math.min(count, MAX_UINT16), 10)
  end.writeUInt32LE(Math.min(length, MAX_UINT32), 12)
  end.writeUInt32LE(Math.min(start, MAX_UINT32), 16)
  if (count < MAX_UINT16 && !isBig(start) && !isBig(length)) return end

  const record = Buffer.alloc(56)
  record.write('PK\x06\x06')
  record.writeBigUInt64LE(BigInt(record.length - 12), 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07')
  locator.writeBigUInt64LE(BigInt(start + length), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
