import { type ByteSource, bufferOf } from '../../byte-source.ts'
import { MediaError } from '../../media-error.ts'
import { type Box, box, fullBox, parseChildHeader, u32 } from '../boxes.ts'

/** The tables of a track in the file; missing tables are left out. */
export type TableBoxes = Partial<Record<TableType, Box>>

export interface IndexedTrackBoxes {
  readonly id: number
  readonly timescale: number
  /** Ticks of the media at which the presentation begins; negative for a track that begins late. */
  readonly editOffset: number
  readonly tables: TableBoxes
}

/** Tables of samples, which make up most of a long index. */
const TABLE_TYPES = [
  'stts',
  'ctts',
  'stss',
  'stsz',
  'stz2',
  'stsc',
  'stco',
  'co64',
  'sdtp',
  'sgpd',
  'sbgp',
  'subs',
] as const
type TableType = (typeof TABLE_TYPES)[number]
const isTable = (type: string): type is TableType => (TABLE_TYPES as readonly string[]).includes(type)
/** Tables that readers require, without entries. */
const EMPTY: Partial<Record<TableType, Buffer>> = {
  stts: fullBox('stts', 0, 0, u32(0)),
  stsz: fullBox('stsz', 0, 0, u32(0, 0)),
  stsc: fullBox('stsc', 0, 0, u32(0)),
  stco: fullBox('stco', 0, 0, u32(0)),
}

const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl'])
/** Bytes of a box that describes a track; a longer one holds embedded pictures or text and is dropped. */
const MAX_KEPT = 2 ** 16
/** Bounds a hostile index that consists of headers only. */
const MAX_BOXES = 10_000

/** Separates the tables from the rest of an index (moov). @throws {@link MediaError} when a box exceeds the one around it */
export async function divideIndex(source: ByteSource, moov: Box) {
  const tracks: IndexedTrackBoxes[] = []
  let movieTimescale = 1
  let track: Draft = { id: -1, timescale: 1, edits: [], tables: {} }
  let seen = 0

  async function divide(parent: Box): Promise<Buffer> {
    if (parent.type === 'trak') track = { id: -1, timescale: 1, edits: [], tables: {} }
    const kept: Buffer[] = []
    for (let at = parent.content; at + 8 <= parent.end; ) {
      if (++seen > MAX_BOXES) throw new MediaError(`The MP4 is damaged: its index has more than ${MAX_BOXES} boxes.`)
      const header = bufferOf(await source.read(at, Math.min(at + 16, parent.end)))
      const child = parseChildHeader(header, at, parent)
      kept.push(await keptOf(child))
      at = child.end
    }
    if (parent.type === 'trak') tracks.push(finished(track, movieTimescale))
    return box(parent.type, ...kept)
  }

  async function keptOf(child: Box): Promise<Buffer> {
    const { type } = child
    if (CONTAINERS.has(type)) return divide(child)
    if (isTable(type)) {
      track.tables[type] ??= child
      return EMPTY[type] ?? Buffer.alloc(0)
    }
    if (child.end - child.start > MAX_KEPT) return Buffer.alloc(0)
    const whole = bufferOf(await source.read(child.start, child.end))
    const content = whole.subarray(child.content - child.start)
    if (type === 'mvhd') movieTimescale = content.readUInt32BE(content[0] === 1 ? 20 : 12)
    if (type === 'tkhd') track.id = content.readUInt32BE(content[0] === 1 ? 20 : 12)
    if (type === 'mdhd') track.timescale = content.readUInt32BE(content[0] === 1 ? 20 : 12)
    if (type === 'elst') track.edits = readEdits(content)
    return whole
  }

  /** The index of a file without packets: all facts about tracks, and empty tables. */
  const slim = await divide(moov)
  return { slim, tracks }
}

interface Draft {
  id: number
  timescale: number
  edits: readonly Edit[]
  tables: TableBoxes
}

interface Edit {
  readonly duration: number
  readonly mediaTime: number
  readonly rate: number
}

function readEdits(content: Buffer): Edit[] {
  const isWide = content[0] === 1
  const width = isWide ? 20 : 12
  const count = Math.min(content.readUInt32BE(4), Math.floor((content.length - 8) / width))
  return Array.from({ length: count }, (_, n) => {
    const at = 8 + n * width
    return isWide
      ? {
          duration: Number(content.readBigUInt64BE(at)),
          mediaTime: Number(content.readBigInt64BE(at + 8)),
          rate: content.readInt32BE(at + 16),
        }
      : {
          duration: content.readUInt32BE(at),
          mediaTime: content.readInt32BE(at + 4),
          rate: content.readInt32BE(at + 8),
        }
  })
}

/** Fixed-point 16.16. */
const NORMAL_RATE = 65536

/** Computes the edit offset as players do: by the first edit that shows something, and empty edits before it. */
function finished({ id, timescale, edits, tables }: Draft, movieTimescale: number): IndexedTrackBoxes {
  const shown = edits.findIndex(({ mediaTime }) => mediaTime !== -1)
  const edit = edits[shown]
  if (edit?.rate !== NORMAL_RATE) return { id, timescale, editOffset: 0, tables }
  const wait = edits.slice(0, shown).reduce((sum, { duration }) => sum + duration, 0)
  return { id, timescale, editOffset: edit.mediaTime - Math.round((wait / movieTimescale) * timescale), tables }
}
