import { crc32, inflateRawSync } from 'node:zlib'
import type { Entry } from 'yauzl'
import { type ByteSource, bufferOf } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { HEADER_SIZE, readDirectory } from './directory.ts'

export interface ZipEntry {
  readonly name: string
  /** In bytes, as the directory states it. */
  readonly size: number
  /** True for a file without compression. */
  readonly isStored: boolean
  /** The file in place, compressed unless it is stored. It is read without its checksum, which needs the whole. */
  readonly data: ByteSource
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
  const { entries, start } = await readDirectory(source)
  return entries.filter(({ fileName }) => !fileName.endsWith('/')).map((entry) => openEntry(source, entry, start))
}

function openEntry(source: ByteSource, entry: Entry, end: number): ZipEntry {
  const { fileName: name, uncompressedSize: size, compressedSize } = entry
  const isStored = entry.compressionMethod === 0
  let start: Promise<number> | undefined
  const data: ByteSource = {
    size: compressedSize,
    async read(from, to) {
      start ??= locate(source, entry, end)
      start.catch(() => {
        start = undefined // a source that failed is asked again
      })
      const offset = await start
      return source.read(offset + from, offset + to)
    },
  }
  return {
    name,
    size,
    isStored,
    data,
    async load() {
      const packed = bufferOf(await data.read(0, compressedSize))
      const bytes = isStored ? packed : inflate(packed, entry)
      if (bytes.length === size && crc32(bytes) === entry.crc32) return bytes
      throw new MediaError(`The zip is damaged: ${name} has another size or checksum than its directory says.`)
    },
  }
}

function inflate(packed: Buffer, { fileName, uncompressedSize }: Entry): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
  } catch (cause) {
    throw new MediaError(
      `The zip is damaged: ${fileName} does not unpack to the ${uncompressedSize} bytes it states.`,
      {
        cause,
      },
    )
  }
}

/** Returns where the data of a file begin, which only the file's own header states. */
async function locate(source: ByteSource, entry: Entry, end: number): Promise<number> {
  const { fileName, relativeOffsetOfLocalHeader: offset, compressedSize } = entry
  const header = bufferOf(await source.read(offset, offset + HEADER_SIZE))
  const start = offset + HEADER_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (header.readUInt32LE(0) === 0x04034b50 && start + compressedSize <= end) return start
  throw new MediaError(`The zip is damaged: ${fileName} is not where its directory says.`)
}
