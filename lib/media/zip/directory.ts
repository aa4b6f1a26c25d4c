import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { blameFile } from '../media-input.ts'

/** A recording of hours may have thousands of streams, hardly more. */
export const MAX_FILES = 10_000
/** The directory is read into memory; one beyond this, for a file per stream, is damaged or hostile. */
const MAX_DIRECTORY_BYTES = 4 * 2 ** 20
/** Media hardly compress, and the text of a manifest less than this. */
const MAX_RATIO = 100
/** Bytes below which any ratio is harmless: 16 KiB of zeros have one of 500. */
const HARMLESS_SIZE = 2 ** 20
/** Bytes of the header in front of each file, without its name. */
export const HEADER_SIZE = 30

export interface Directory {
  /** First byte after the files. */
  readonly start: number
  readonly entries: readonly Entry[]
}

/** Reads the directory of a zip. @throws {@link MediaError} when it is missing, incomplete, damaged or harmful */
export const readDirectory = (source: ByteSource): Promise<Directory> =>
  blameFile(source, parseDirectory, ({ message }) => {
    const reason = message.slice(0, 300).replaceAll(CONTROL, '?').replace(/\.$/, '') // it may name an entry
    return `The zip cannot be read (${reason}).`
  })

async function parseDirectory(source: ByteSource): Promise<Directory> {
  if (source.size === 0) throw new MediaError('The zip is empty: it has zero bytes.')
  const options = { autoClose: false, strictFileNames: true }
  const zip = await fromRandomAccessReaderPromise(new TailReader(source), source.size, options)
  if (zip.entryCount > MAX_FILES) throw refused(`it has ${zip.entryCount} files, more than ${MAX_FILES}`)
  const start = Number(zip.readEntryCursor) // declared as a boolean
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const fault = entries.has(entry.fileName) ? 'is in it twice' : faultOf(entry)
    if (fault) throw refused(`${shown(entry)} ${fault}`)
    entries.set(entry.fileName, entry)
  }
  requireNoOverlap([...entries.values()], start)
  return { start, entries: [...entries.values()] }
}

/** Reads the end of a zip at once, and what is missing of its directory at once. */
class TailReader extends RandomAccessReader {
  readonly #source: ByteSource
  #tail: Buffer = Buffer.alloc(0)

  constructor(source: ByteSource) {
    super()
    this.#source = source
  }

  override read(target: Buffer, offset: number, length: number, from: number, done: (error: Error | null) => void) {
    this.#load(from, from + length).then((bytes) => {
      bytes.copy(target, offset)
      done(null)
    }, done)
  }

  async #load(from: number, to: number): Promise<Buffer> {
    const { size } = this.#source
    if (to > size) throw new MediaError('The zip is damaged: its directory is not where its end says.')
    if (size - from > MAX_DIRECTORY_BYTES) throw refused(`its directory has ${size - from} bytes`)
    const start = size - this.#tail.length
    if (from >= start) return this.#tail.subarray(from - start, to - start)
    this.#tail = Buffer.concat([await this.#source.read(from, start), this.#tail])
    return this.#tail.subarray(0, to - from)
  }
}

const refused = (fault: string) => new MediaError(`The zip is refused: ${fault}.`)
const shown = ({ fileName }: Entry) => JSON.stringify(fileName.slice(0, 200))

const CONTROL = /\p{Cc}/gu

/** Returns the fault of an entry whose name and sizes yauzl has checked. */
function faultOf(entry: Entry): string | undefined {
  const { fileName, fileNameRaw, compressedSize, uncompressedSize } = entry
  if (fileName === '') return 'has no name'
  if (fileName.match(CONTROL) || fileNameRaw.some((byte) => byte < 0x20)) return 'has control characters in its name'
  if (entry.isEncrypted()) return 'is encrypted'
  if (!entry.canDecodeFileData()) return 'has an unknown compression method'
  if (uncompressedSize > Math.max(HARMLESS_SIZE, compressedSize * MAX_RATIO))
    return `unpacks from ${compressedSize} bytes to ${uncompressedSize}, as only a zip bomb does`
  if (compressedSize > 2 * uncompressedSize + 1024) return 'is far larger than the file that is compressed in it'
  return undefined
}

/** Files that share bytes let a small zip unpack to any size; the directory states enough of their positions. */
function requireNoOverlap(entries: readonly Entry[], directoryStart: number): void {
  const ordered = entries.toSorted((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader)
  for (const [index, entry] of ordered.entries()) {
    const next = ordered[index + 1]
    const end = entry.relativeOffsetOfLocalHeader + HEADER_SIZE + entry.fileNameLength + entry.compressedSize
    if (end > (next?.relativeOffsetOfLocalHeader ?? directoryStart))
      throw refused(`${shown(entry)} overlaps ${next ? shown(next) : 'its directory'}`)
  }
}
