import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { type DirectoryRecord, readDirectory } from './directory.ts'
import { inflateBounded } from './inflate.ts'
import { faultOfEntries } from './refusals.ts'

/** A file in a zip. */
export interface ZipEntry {
  readonly name: string
  /** In bytes, as the directory states it; `stream` holds the file to it. */
  readonly size: number
  readonly compressedSize: number
  /** Whether it lies in the zip as it is. */
  readonly isStored: boolean
  /**
   * Its bytes, read by ranges where they lie; the checksum is not verified, since that takes all of them.
   * @throws MediaError for a file that is compressed
   */
  open(): ByteSource
  /** Its bytes in order, a compressed file's unpacked, held to the size and the CRC-32 that the directory states. */
  stream(): AsyncGenerator<Uint8Array, void, undefined>
}

/** Bytes of a file that are fetched at once while it is streamed. */
const BLOCK = 2 ** 20

/**
 * Opens a zip by its directory alone: two reads at most, however large it is. Directories in it are left out. ZIP64, comments
 * and sizes behind the data are understood.
 * @throws MediaError when it is no whole zip, is encrypted or split, or could do harm: names that lead out of a directory,
 *   overlapping files, more of them than anybody records, files that unpack to far more than they are; whatever the source
 *   rejects with, unchanged
 */
export async function openZip(source: ByteSource): Promise<readonly ZipEntry[]> {
  const { records, start: directoryStart } = await readDirectory(source)
  const fault = faultOfEntries(records, directoryStart)
  if (fault) throw new MediaError(`The zip is refused: ${fault}.`)
  return records.filter(({ name }) => !name.endsWith('/')).map((record) => entryOf(source, record, directoryStart))
}

function entryOf(source: ByteSource, record: DirectoryRecord, directoryStart: number): ZipEntry {
  const { name, size, compressedSize, method } = record
  let place: Promise<number> | undefined
  const findStart = () => {
    place ??= locate(source, record, directoryStart)
    place.catch(() => {
      place = undefined // a source that failed is asked again
    })
    return place
  }
  const packed: ByteSource = {
    size: compressedSize,
    async read(start, end) {
      const offset = await findStart()
      return source.read(offset + start, offset + end)
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
    stream: () => inflateBounded(gulpsOf(packed), record),
  }
}

/** The file's own header repeats name and sizes; only where its data begin stands nowhere else. */
async function locate(source: ByteSource, { name, offset, compressedSize }: DirectoryRecord, end: number) {
  const header = Buffer.from(await source.read(offset, offset + HEADER))
  if (header.readUInt32LE(0) !== HEADER_MARK)
    throw new MediaError(`The zip is damaged: ${name} is not where its directory says.`)
  const start = offset + HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + compressedSize > end) throw new MediaError(`The zip is damaged: ${name} reaches beyond its files.`)
  return start
}

const HEADER = 30
const HEADER_MARK = 0x04034b50

async function* gulpsOf(source: ByteSource) {
  for (let start = 0; start < source.size; start += BLOCK) {
    yield source.read(start, Math.min(start + BLOCK, source.size))
  }
}
