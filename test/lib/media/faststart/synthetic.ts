import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import type { FilePart } from '../../../../lib/media/faststart/plan-faststart.ts'
import { surveyBoxes } from '../../../../lib/media/mp4/top-level-boxes.ts'

/** Given bytes, or a number of bytes that are computed from their position, so that a file may have terabytes. */
export type Piece = Buffer | number

/** A file of these pieces, one behind the other. */
export function syntheticFile(pieces: readonly Piece[]): ByteSource {
  let size = 0
  const placed = pieces.map((piece) => {
    const start = size
    size += typeof piece === 'number' ? piece : piece.length
    return { piece, start, end: size }
  })
  return {
    size,
    async read(start, end) {
      const bytes = Buffer.alloc(end - start)
      for (const one of placed) {
        const [from, to] = [Math.max(start, one.start), Math.min(end, one.end)]
        if (from >= to) continue
        if (typeof one.piece === 'number') fill(bytes.subarray(from - start, to - start), from)
        else one.piece.copy(bytes, from - start, from - one.start, to - one.start)
      }
      return bytes
    },
  }
}

const PATTERN = createPattern()

/** Different at every place that a wrong offset would lead to: it repeats after an odd number of bytes only. */
function createPattern(): Buffer {
  const bytes = Buffer.alloc(1_000_003)
  for (let n = 0, state = 1; n < bytes.length; n++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    bytes[n] = state >>> 24
  }
  return bytes
}

function fill(bytes: Buffer, place: number): void {
  for (let done = 0; done < bytes.length; ) done += PATTERN.copy(bytes, done, (place + done) % PATTERN.length)
}

/** The file that a plan describes, read through it. */
export function readPlan(source: ByteSource, parts: readonly FilePart[]): ByteSource {
  let size = 0
  const placed = parts.map((part) => {
    const start = size
    size += sizeOf(part)
    return { part, start, end: size }
  })
  return {
    size,
    async read(start, end) {
      const pieces: Uint8Array[] = []
      for (const one of placed) {
        const [from, to] = [Math.max(start, one.start) - one.start, Math.min(end, one.end) - one.start]
        if (from >= to) continue
        if ('bytes' in one.part) pieces.push(one.part.bytes.subarray(from, to))
        else pieces.push(await source.read(one.part.start + from, one.part.start + to))
      }
      return Buffer.concat(pieces)
    },
  }
}

export const sizeOf = (part: FilePart) => ('bytes' in part ? part.bytes.length : part.end - part.start)

export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(8), ...content])
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.write(type, 4, 'latin1')
  return bytes
}

/** The header of a box that holds so many bytes, 64-bit where it has to be. */
export function header(type: string, length: number, large = length + 8 >= 2 ** 32): Buffer {
  const bytes = Buffer.alloc(large ? 16 : 8)
  bytes.writeUInt32BE(large ? 1 : length + 8, 0)
  bytes.write(type, 4, 'latin1')
  if (large) bytes.writeBigUInt64BE(BigInt(length + 16), 8)
  return bytes
}

export const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isomavc1'))

export interface Track {
  readonly width: 4 | 8
  readonly offsets: readonly number[]
}

/** An index with these tables of chunk offsets, among boxes that have to stay as they are. */
export const moov = (...tracks: readonly Track[]): Buffer =>
  box('moov', box('mvhd', Buffer.alloc(100, 1)), ...tracks.map(trak), box('udta', box('stco', Buffer.alloc(4))))

const trak = (track: Track) =>
  box(
    'trak',
    box('tkhd', Buffer.alloc(84, 2)),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(24, 3)),
      box('minf', box('stbl', box('stsz', Buffer.alloc(12)), table(track))),
    ),
  )

export function table({ width, offsets }: Track, count = offsets.length): Buffer {
  const bytes = Buffer.alloc(8 + width * offsets.length)
  bytes.writeUInt32BE(count, 4)
  for (const [n, offset] of offsets.entries()) {
    if (width === 4) bytes.writeUInt32BE(offset, 8 + 4 * n)
    else bytes.writeBigUInt64BE(BigInt(offset), 8 + 8 * n)
  }
  return box(width === 4 ? 'stco' : 'co64', bytes)
}

/** The index of a file, and the first 16 bytes of each chunk it points to. */
export async function factsOf(source: ByteSource) {
  const { boxes, moovPosition } = await surveyBoxes(source)
  const holding = (at: number) => boxes.find(({ start, end }) => at >= start && at < end)
  const { start = 0, end = 0 } = boxes.find(({ type }) => type === 'moov') ?? {}
  const index = Buffer.from(await source.read(start, end))
  const tracks = tracksOf(index)
  const chunkAt = async (at: number) =>
    Buffer.from(await source.read(at, Math.min(at + 16, holding(at)?.end ?? at))).toString('hex')
  const chunks = await Promise.all(tracks.flatMap(({ offsets }) => offsets).map(chunkAt))
  return { moovPosition, types: boxes.map(({ type }) => type), index, tracks, chunks }
}

/** The tables of an index, found by their shape alone. */
function tracksOf(index: Buffer): Track[] {
  const tracks: Track[] = []
  for (let at = index.indexOf('stbl'); at >= 0; at = index.indexOf('stbl', at + 1)) {
    const start = at + 4 + index.readUInt32BE(at + 4) // behind stsz
    const width = index.toString('latin1', start + 4, start + 8) === 'stco' ? 4 : 8
    const count = index.readUInt32BE(start + 12)
    const offsets = Array.from({ length: count }, (_, n) =>
      width === 4 ? index.readUInt32BE(start + 16 + 4 * n) : Number(index.readBigUInt64BE(start + 16 + 8 * n)),
    )
    tracks.push({ width, offsets })
  }
  return tracks
}
