import { type ByteSource, bufferOf } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'

/** One file in a zip's directory (APPNOTE 6.3.10, 4.3.12). */
export interface DirectoryRecord {
  readonly name: string
  readonly method: 'stored' | 'deflated'
  readonly size: number
  readonly compressedSize: number
  readonly crc: number
  /** First byte of the file's own header. */
  readonly offset: number
}

export interface Directory {
  readonly start: number
  readonly records: readonly DirectoryRecord[]
}

const END_SIZE = 22
const END64_SIZE = 56
const LOCATOR_SIZE = 20
const MAX_COMMENT_BYTES = 0xffff
/** Bytes at the end of a zip that hold the end of the directory, and usually all of it. */
const TAIL = END_SIZE + MAX_COMMENT_BYTES + LOCATOR_SIZE + END64_SIZE
/** The directory is read into memory; one beyond this, for a file per stream, is damaged or hostile. */
const MAX_DIRECTORY_BYTES = 4 * 2 ** 20

interface Tail {
  /** Position in the zip. */
  readonly start: number
  readonly bytes: Buffer
}

interface End {
  readonly count: number
  readonly start: number
  readonly size: number
  /** First byte after the directory. */
  readonly position: number
}

/** Reads the directory of a zip. @throws {@link MediaError} when it is missing, incomplete or damaged */
export async function readDirectory(source: ByteSource): Promise<Directory> {
  if (source.size === 0) throw new MediaError('The zip is empty: it has zero bytes.')
  const start = Math.max(0, source.size - TAIL)
  const tail = { start, bytes: bufferOf(await source.read(start, source.size)) }
  const end = findEnd(tail, source.size)
  if (end.size > MAX_DIRECTORY_BYTES) throw new MediaError(`The zip is refused: its directory has ${end.size} bytes.`)
  if (end.start + end.size !== end.position)
    throw new MediaError('The zip is damaged: its directory is not where its end says.')
  const bytes =
    end.start >= tail.start
      ? tail.bytes.subarray(end.start - tail.start, end.position - tail.start)
      : bufferOf(await source.read(end.start, end.position))
  return { start: end.start, records: parseRecords(bytes, end.count) }
}

/** The end is followed by a comment of stated length, and nothing else. */
function findEnd(tail: Tail, zipSize: number): End {
  const { bytes, start } = tail
  for (let at = bytes.length - END_SIZE; at >= 0; at--) {
    if (bytes.readUInt32LE(at) !== 0x06054b50 || at + END_SIZE + bytes.readUInt16LE(at + 20) !== bytes.length) continue
    const end = {
      disk: bytes.readUInt16LE(at + 4),
      count: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 12),
      start: bytes.readUInt32LE(at + 16),
      position: start + at,
    }
    if (end.count === 0xffff || end.size === 0xffffffff || end.start === 0xffffffff) return findEnd64(tail, at)
    if (end.disk !== 0) throw split()
    return end
  }
  throw new MediaError(`The file is not a zip, or is cut off: its ${zipSize} bytes do not end in a directory.`)
}

function findEnd64({ bytes, start }: Tail, end: number): End {
  const locator = end - LOCATOR_SIZE
  const at = locator >= 0 && bytes.readUInt32LE(locator) === 0x07064b50 ? bigAt(bytes, locator + 8) - start : -1
  if (at < 0 || at + END64_SIZE > locator || bytes.readUInt32LE(at) !== 0x06064b50)
    throw new MediaError('The zip is damaged: the ZIP64 end of its directory is missing.')
  if (bytes.readUInt32LE(at + 16) !== 0) throw split()
  return {
    count: bigAt(bytes, at + 32),
    size: bigAt(bytes, at + 40),
    start: bigAt(bytes, at + 48),
    position: start + at,
  }
}

const split = () => new MediaError('The zip is split into several files: only a single file is supported.')

function parseRecords(bytes: Buffer, count: number): DirectoryRecord[] {
  const records: DirectoryRecord[] = []
  try {
    for (let at = 0; at < bytes.length; ) {
      if (bytes.readUInt32LE(at) !== 0x02014b50) throw new RangeError('mark')
      records.push(parseRecord(bytes, at))
      at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw new MediaError('The zip is damaged: its directory cannot be read.', { cause: error })
    throw error
  }
  if (records.length === count) return records
  throw new MediaError(`The zip is damaged: its directory lists ${records.length} files and says ${count}.`)
}

const METHODS: Readonly<Record<number, DirectoryRecord['method']>> = { 0: 'stored', 8: 'deflated' }
const ENCRYPTED = 1
const UTF8 = 0x800

function parseRecord(bytes: Buffer, at: number): DirectoryRecord {
  const flags = bytes.readUInt16LE(at + 8)
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  if (extraEnd > bytes.length) throw new RangeError('length')
  const name = bytes.toString(flags & UTF8 ? 'utf8' : 'latin1', at + 46, nameEnd)
  const method = METHODS[bytes.readUInt16LE(at + 10)]
  if (flags & ENCRYPTED) throw new MediaError(`The zip is refused: ${JSON.stringify(name)} is encrypted.`)
  if (!method) throw new MediaError(`The zip is refused: ${JSON.stringify(name)} has an unknown compression method.`)
  const big = zip64Values(bytes.subarray(nameEnd, extraEnd))
  const either = (value: number) => (value === 0xffffffff ? big() : value)
  const size = either(bytes.readUInt32LE(at + 24))
  const compressedSize = either(bytes.readUInt32LE(at + 20))
  const offset = either(bytes.readUInt32LE(at + 42))
  return { name, method, size, compressedSize, crc: bytes.readUInt32LE(at + 16), offset }
}

/** Returns a reader of the values that did not fit into 32 bits, in the order of the record (4.5.3). */
function zip64Values(extra: Buffer): () => number {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return () => {
    at += 8
    return bigAt(extra, at - 8)
  }
}

function bigAt(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > Number.MAX_SAFE_INTEGER) throw new MediaError('The zip is damaged: it states a size beyond any file.')
  return Number(value)
}
