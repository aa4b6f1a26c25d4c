import { MediaError } from '../media-error.ts'
import { type Box, parseBoxHeader, parseChildHeader } from '../mp4/boxes.ts'

/** A table of chunk offsets (`stco`, `co64`); positions are bytes of the index. */
export interface OffsetTable {
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
 * Finds every table of chunk offsets in an index (moov), in their order.
 * @param place position of the index in the file, for messages
 * @throws {@link MediaError} when a box exceeds the one around it, the index is compressed, or the samples are
 *   encrypted
 */
export function findOffsetTables(index: Buffer, place: number): OffsetTable[] {
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
