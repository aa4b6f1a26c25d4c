import { childrenOf, findBox, type LoadedBox } from '../mp4/boxes.ts'

/** A frame of a fragmented MP4. */
export interface ReadFrame {
  /** Ticks at which it is shown. */
  readonly time: number
  /** Ticks at which it is decoded. */
  readonly decodeTime: number
  readonly isKey: boolean
  readonly data: Buffer
}

export interface FragmentReader {
  /** Receives the content of `avcC`. */
  readonly onConfiguration: (avcC: Buffer) => void
  readonly onFrame: (frame: ReadFrame) => Promise<void>
}

/** Reads the fragmented MP4 of one H.264 track that ffmpeg writes into a pipe, a fragment at a time. */
export async function readFragments(stream: AsyncIterable<Buffer>, reader: FragmentReader): Promise<void> {
  let entries: Entry[] = []
  for await (const { type, content } of boxesIn(stream)) {
    if (type === 'moov') {
      const avcC = findBox(content, ['trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1', 'avcC'])
      if (avcC) reader.onConfiguration(avcC)
    }
    if (type === 'moof') entries = entriesOf(content)
    if (type === 'mdat') {
      let position = 0
      for (const { size, duration: _, ...entry } of entries) {
        await reader.onFrame({ ...entry, data: content.subarray(position, position + size) })
        position += size
      }
    }
  }
}

/** A frame as a fragment lists it. Times are in ticks. */
interface Entry {
  readonly time: number
  readonly decodeTime: number
  readonly duration: number
  readonly isKey: boolean
  readonly size: number
}

/** A top-level box with its header. */
export interface StreamedBox extends LoadedBox {
  readonly bytes: Buffer
}

/** Yields the top-level boxes of a stream; drops an incomplete one. */
export async function* boxesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<StreamedBox> {
  let waiting: Buffer[] = []
  let length = 0
  let wanted = 8
  for await (const chunk of stream) {
    waiting.push(chunk)
    length += chunk.length
    while (length >= wanted) {
      const bytes = Buffer.concat(waiting)
      const size = bytes.readUInt32BE(0)
      if (length >= size) {
        yield { type: bytes.toString('latin1', 4, 8), content: bytes.subarray(8, size), bytes: bytes.subarray(0, size) }
        waiting = [bytes.subarray(size)]
        length -= size
        wanted = 8
      } else {
        waiting = [bytes]
        wanted = size
      }
    }
  }
}

const NOT_SYNC = 0x10000

/** Lists the frames of the first track of a `moof` (ISO/IEC 14496-12, 8.8.7, 8.8.8 and 8.8.12). */
export function entriesOf(moof: Buffer): Entry[] {
  const traf = findBox(moof, ['traf'])
  const defaults = { duration: 0, size: 0, flags: 0 }
  const entries: Entry[] = []
  let time = 0
  for (const { type, content } of traf ? childrenOf(traf) : []) {
    const next = numbersIn(content)
    const has = flagsOf(content)
    if (type === 'tfhd') {
      next() // track
      if (has(0x1)) next(8)
      if (has(0x2)) next()
      if (has(0x8)) defaults.duration = next()
      if (has(0x10)) defaults.size = next()
      if (has(0x20)) defaults.flags = next()
    }
    if (type === 'tfdt') time = content[0] === 1 ? next(8) : next()
    if (type === 'trun') {
      const count = next()
      if (has(0x1)) next()
      const firstFlags = has(0x4) ? next() : undefined
      for (let index = 0; index < count; index++) {
        const duration = has(0x100) ? next() : defaults.duration
        const size = has(0x200) ? next() : defaults.size
        const ownFlags = has(0x400) ? next() : defaults.flags
        const offset = has(0x800) ? next() | 0 : 0 // signed
        const flags = index === 0 ? (firstFlags ?? ownFlags) : ownFlags
        entries.push({ time: time + offset, decodeTime: time, duration, size, isKey: (flags & NOT_SYNC) === 0 })
        time += duration
      }
    }
  }
  return entries
}

const flagsOf = (content: Buffer) => {
  const flags = content.readUIntBE(1, 3)
  return (flag: number) => (flags & flag) !== 0
}

/** Returns a reader of consecutive numbers behind version and flags. */
function numbersIn(content: Buffer) {
  let position = 4
  return (bytes: 4 | 8 = 4): number => {
    const value = bytes === 8 ? Number(content.readBigUInt64BE(position)) : content.readUInt32BE(position)
    position += bytes
    return value
  }
}
