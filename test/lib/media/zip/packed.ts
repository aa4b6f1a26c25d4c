import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a zip made by hand; what is said of it can be other than what it is. */
export interface PackedFile {
  readonly name: string
  readonly bytes?: Uint8Array | string
  readonly isDeflated?: boolean
  readonly flags?: number
  /** False statements of the directory. */
  readonly claims?: {
    readonly size?: number
    readonly crc?: number
    readonly offset?: number
    readonly method?: number
  }
}

/** Packs files into a zip, one whose sizes stand behind the data where `isStreamed`. */
export function packZip(
  files: readonly PackedFile[],
  { comment = '', isStreamed = false }: { comment?: string; isStreamed?: boolean } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes = '', isDeflated = false, flags = 0, claims = {} } of files) {
    const content = Buffer.from(bytes)
    const data = isDeflated ? deflateRawSync(content) : content
    const nameBytes = Buffer.from(name, 'latin1')
    const sums = u32(
      claims.crc ?? crc32(content),
      data.length,
      claims.size ?? (isDeflated ? content.length : data.length),
    )
    const head = u16(20, flags | (isStreamed ? 8 : 0), claims.method ?? (isDeflated ? 8 : 0), 0, 0)
    const local = [
      u32(0x04034b50),
      head,
      isStreamed ? u32(0, 0, 0) : sums,
      u16(nameBytes.length, 4),
      nameBytes,
      u16(0xcafe, 0),
    ]
    const file = Buffer.concat([...local, data, ...(isStreamed ? [u32(0x08074b50), sums] : [])])
    const rest = [u16(nameBytes.length, 0, 0, 0, 0), u32(0, claims.offset ?? offset), nameBytes]
    directory.push(Buffer.concat([u32(0x02014b50), u16(20), head, sums, ...rest]))
    parts.push(file)
    offset += file.length
  }
  const records = Buffer.concat(directory)
  const end = [u32(0x06054b50), u16(0, 0, files.length, files.length), u32(records.length, offset), u16(comment.length)]
  return Buffer.concat([...parts, records, ...end, Buffer.from(comment)])
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index)
  return bytes
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}
