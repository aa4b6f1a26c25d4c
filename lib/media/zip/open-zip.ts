import { crc32, inflateRawSync } from 'node:zlib'
import { type ByteSource, bufferOf } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { type DirectoryRecord, readDirectory } from './directory.ts'
import { faultOfEntries } from './refusals.ts'

export interface ZipEntry {
  readonly name: string
  /** In bytes, as the directory states it. */
  readonly size: number
  readonly compressedSize: number
  /** True for a file without compression. */
  readonly isStored: boolean
  /** Opens the file in place, without its checksum, which needs the whole. @throws {@link MediaError} if it is compressed */
  open(): ByteSource
  /** Unpacks a small file into memory. @throws {@link MediaError} when size or CRC-32 differ from the directory */
  load(): Promise<Buffer>
}

/**
 * Opens a zip by its directory alone: two reads at most, at any size. Leaves out directories. Supports ZIP64, comments and
 * sizes behind the data.
 * @throws {@link MediaError} when the zip is incomplete, encrypted, split or harmful: names that lead out of a directory,
 *   overlapping files, too many files, files that unpack to far more than their size
 */
export async function openZip(source: ByteSource): Promise<readonly ZipEntry[]> {
  const { records, start: directoryStart } = await readDirectory(source)
  const fault = faultOfEntries(records, directoryStart)
  if (fault) throw new MediaError(`The zip is refused: ${fault}.`)
  return records.filter(({ name }) => !name.endsWith('/')).map((record) => entryOf(source, record, directoryStart))
}

function entryOf(source: ByteSource, record: DirectoryRecord, directoryStart: number): ZipEntry {
  const { name, size, compressedSize, method } = record
  let start: Promise<number> | undefined
  const packed: ByteSource = {
    size: compressedSize,
    async read(from, to) {
      start ??= locate(source, record, directoryStart)
      start.catch(() => {
        start = undefined // a source that failed is asked again
      })
      const offset = await start
      return source.read(offset + from, offset + to)
    },
  }
  const isStored = method === 'stored'
  return {
    name,
    size,
    compressedSize,
    isStored,
    open() {
      if (isStored) return packed
      throw new MediaError(`${name} is compressed in its zip: it cannot be read in place.`)
    },
    async load() {
      if (compressedSize > 2 * size + 1024) throw new MediaError(`The zip is damaged: ${name} cannot be unpacked.`)
      return unpack(bufferOf(await packed.read(0, compressedSize)), record)
    },
  }
}

function unpack(packed: Buffer, { name, method, size, crc }: DirectoryRecord): Buffer {
  const bytes = method === 'stored' ? packed : inflate(packed, name, size)
  if (bytes.length < size)
    throw new MediaError(`The zip is damaged: ${name} has ${bytes.length} bytes, its directory says ${size}.`)
  if (crc32(bytes) !== crc)
    throw new MediaError(`The zip is damaged: ${name} has another checksum than its directory says.`)
  return bytes
}

function inflate(packed: Buffer, name: string, size: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge
      ? new MediaError(`The zip is refused: ${name} unpacks to more than the ${size} bytes it states.`)
      : new MediaError(`The zip is damaged: ${name} cannot be unpacked.`, { cause })
  }
}

const HEADER = 30
const HEADER_MARK = 0x04034b50

/** Returns where the data of a file begin, which only the file's own header states. */
async function locate(source: ByteSource, { name, offset, compressedSize }: DirectoryRecord, end: number) {
  const header = bufferOf(await source.read(offset, offset + HEADER))
  if (header.readUInt32LE(0) !== HEADER_MARK)
    throw new MediaError(`The zip is damaged: ${name} is not where its directory says.`)
  const start = offset + HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + compressedSize > end)
    throw new MediaError(`The zip is damaged: ${name} exceeds the space before the directory.`)
  return start
}
