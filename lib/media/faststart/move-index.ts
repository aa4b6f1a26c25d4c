import { MediaError } from '../media-error.ts'
import { type Box, parseBoxHeader, parseChildHeader } from '../mp4/boxes.ts'

export interface FormerPlace {
  /** The index in the file; it moves directly behind `headEnd`. */
  readonly start: number
  readonly end: number
  /** Bytes before this keep their position. */
  readonly headEnd: number
  readonly fileSize: number
}

const MAX_UINT32 = 2 ** 32 - 1

/**
 * Rewrites an index (moov) for a place before the media: the offset of every chunk grows by the bytes that now precede
 * it. A 32-bit table with an offset that no longer fits becomes a 64-bit one.
 * @throws {@link MediaError} when the index is damaged or compressed, or an offset is outside the media
 */
export function moveIndex(former: Uint8Array, place: FormerPlace): Buffer {
  const bytes = Buffer.from(former)
  const tables = findOffsetTables(bytes, place.start)
  for (const table of tables) requireWithinMedia(table, bytes, place)
  const widened = chooseWidened(tables, bytes, place)
  const length = lengthWith(widened, bytes)
  writeSize(bytes, 0, length)
  for (const { ancestors, count } of widened)
    for (const at of ancestors) if (at > 0) writeSize(bytes, at, sizeAt(bytes, at) + 4 * count)
  return joinTables(tables, widened, bytes, (offset) => shifted(offset, place, length))
}

function requireWithinMedia(table: OffsetTable, bytes: Buffer, { start, end, headEnd, fileSize }: FormerPlace): void {
  for (let n = 0; n < table.count; n++) {
    const offset = offsetAt(table, bytes, n)
    if (offset < headEnd || (offset > start && offset < end) || offset > fileSize)
      throw new MediaError(`The MP4 is damaged: its index says that media begin at byte ${offset}, where none are.`)
  }
}

/** Chooses the tables to widen, until none is missing: a wider one lengthens the index, which may move others beyond 32 bits. */
function chooseWidened(tables: readonly OffsetTable[], bytes: Buffer, place: FormerPlace): Set<OffsetTable> {
  const widened = new Set<OffsetTable>()
  const narrow = tables.filter(({ width }) => width === 4).map((table) => ({ table, farthest: farthest(table, bytes) }))
  for (let before = -1; before < widened.size; ) {
    before = widened.size
    const length = lengthWith(widened, bytes)
    for (const { table, farthest } of narrow) if (shifted(farthest, place, length) > MAX_UINT32) widened.add(table)
  }
  return widened
}

function farthest(table: OffsetTable, bytes: Buffer): number {
  let most = 0
  for (let n = 0; n < table.count; n++) most = Math.max(most, offsetAt(table, bytes, n))
  return most
}

const lengthWith = (widened: ReadonlySet<OffsetTable>, bytes: Buffer) =>
  [...widened].reduce((length, { count }) => length + 4 * count, bytes.length)

/** Media behind the former index move only by the growth of the index. */
const shifted = (offset: number, { start, end }: FormerPlace, length: number) =>
  offset > start ? offset + length - (end - start) : offset + length

function joinTables(
  tables: readonly OffsetTable[],
  widened: ReadonlySet<OffsetTable>,
  bytes: Buffer,
  move: (offset: number) => number,
): Buffer {
  const pieces: Buffer[] = []
  let copied = 0
  for (const table of tables) {
    if (widened.has(table)) {
      pieces.push(bytes.subarray(copied, table.start), widen(table, bytes, move))
      copied = table.end
    } else {
      for (let n = 0; n < table.count; n++) writeOffset(table, bytes, n, move(offsetAt(table, bytes, n)))
    }
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)])
}

/** Returns a `co64` box in place of an `stco` box. */
function widen(table: OffsetTable, bytes: Buffer, move: (offset: number) => number): Buffer {
  const wide = Buffer.alloc(16 + 8 * table.count)
  wide.writeUInt32BE(wide.length, 0)
  wide.write('co64', 4, 'latin1')
  bytes.copy(wide, 8, table.entries - 8, table.entries) // version, flags, number of entries
  for (let n = 0; n < table.count; n++) writeOffset({ width: 8, entries: 16 }, wide, n, move(offsetAt(table, bytes, n)))
  return wide
}

function offsetAt({ width, entries }: OffsetTable, bytes: Buffer, n: number): number {
  const at = entries + n * width
  return width === 4 ? bytes.readUInt32BE(at) : bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
}

function writeOffset(
  { width, entries }: Pick<OffsetTable, 'width' | 'entries'>,
  to: Buffer,
  n: number,
  offset: number,
) {
  const at = entries + n * width
  if (width === 8) to.writeUInt32BE(Math.floor(offset / 2 ** 32), at)
  to.writeUInt32BE(offset % 2 ** 32, at + width - 4)
}

const isLarge = (bytes: Buffer, at: number) => bytes.readUInt32BE(at) === 1
const sizeAt = (bytes: Buffer, at: number) => bytes.readUInt32BE(isLarge(bytes, at) ? at + 12 : at)

/** The lower half of a 64-bit size is enough for an index. */
const writeSize = (bytes: Buffer, at: number, size: number) =>
  bytes.writeUInt32BE(size, isLarge(bytes, at) ? at + 12 : at)

/** A table of chunk offsets (`stco`, `co64`); positions are bytes of the index. */
interface OffsetTable {
  readonly start: number
  readonly end: number
  /** Bytes of an entry. */
  readonly width: 4 | 8
  readonly count: number
  /** First byte of the first entry; version and count precede it. */
  readonly entries: number
  /** Positions of the boxes around it, outermost first: the index itself at 0. */
  readonly ancestors: readonly number[]
}

/** The path from the index to the tables of a track. */
const PATH = ['moov', 'trak', 'mdia', 'minf', 'stbl'] as const

/**
 * Finds every table of chunk offsets in an index (moov). @param place its position in the file, for messages
 * @throws {@link MediaError} when a box exceeds its parent, the index is compressed, or samples are encrypted
 */
function findOffsetTables(index: Buffer, place: number): OffsetTable[] {
  const moov = parseBoxHeader(index, place)
  return tablesIn({ ...moov, end: place + index.length }, [0])

  function tablesIn(parent: Box, ancestors: readonly number[]): OffsetTable[] {
    const tables: OffsetTable[] = []
    for (let at = parent.content; at < parent.end; ) {
      const header = index.subarray(at - place, Math.min(at + 16, parent.end) - place)
      const box = parseChildHeader(header, at, parent)
      const start = at - place
      if (box.type === PATH[ancestors.length]) tables.push(...tablesIn(box, [...ancestors, start]))
      else if (ancestors.length === PATH.length) tables.push(...tableOf(box, ancestors))
      else if (box.type === 'cmov')
        throw new MediaError('A faststart copy is not possible: the index of the MP4 is compressed (cmov).')
      at = box.end
    }
    return tables
  }

  function tableOf({ type, start, content, end }: Box, ancestors: readonly number[]): OffsetTable[] {
    if (type === 'saio')
      throw new MediaError('A faststart copy is not possible: the samples of the MP4 have auxiliary data (saio).')
    if (type !== 'stco' && type !== 'co64') return []
    const width = type === 'stco' ? 4 : 8
    const entries = content + 8 - place
    const count = end - content < 8 ? Number.POSITIVE_INFINITY : index.readUInt32BE(entries - 4)
    if (entries + count * width > end - place)
      throw new MediaError(
        `The MP4 is damaged: the ${type} box at byte ${start} has more entries than it has room for.`,
      )
    return [{ start: start - place, end: end - place, width, count, entries, ancestors }]
  }
}
