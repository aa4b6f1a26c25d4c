import { entriesOf } from '../hls/fragment-reader.ts'
import { MediaError } from '../media-error.ts'
import { box, childrenOf, findBox, fullBox, u32, u64 } from '../mp4/boxes.ts'

/** One track of an init segment that may have several. */
export interface SelectedTrack {
  readonly id: number
  /** The init segment with this track only. Its edit list has 64-bit times. */
  readonly init: Buffer
}

const HANDLERS = { video: 'vide', audio: 'soun' } as const

/** Reduces an init segment to its first video or audio track. Returns undefined if it has none. @throws {@link MediaError} when it is damaged */
export function selectTrack(init: Buffer, type: 'video' | 'audio'): SelectedTrack | undefined {
  const moov = findBox(init, ['moov'])
  const ftyp = findBox(init, ['ftyp'])
  if (!moov || !ftyp) throw new MediaError('The init segment has no index: it is damaged.')
  const trak = [...childrenOf(moov)].find(
    (child) => child.type === 'trak' && handlerOf(child.content) === HANDLERS[type],
  )
  if (!trak) return undefined
  const id = trackIdOf(trak.content)
  const children = [...childrenOf(moov)].flatMap((child) => {
    if (child.type === 'trak') return trackIdOf(child.content) === id ? [track(child.content)] : []
    if (child.type !== 'mvex') return [box(child.type, child.content)]
    const own = [...childrenOf(child.content)].filter(
      (one) => one.type !== 'trex' || one.content.readUInt32BE(4) === id,
    )
    return [box('mvex', ...own.map((one) => box(one.type, one.content)))]
  })
  return { id, init: Buffer.concat([box('ftyp', ftyp), box('moov', ...children)]) }
}

/** Reduces the fragments of a media segment to one track (ISO/IEC 14496-12, 8.8.8: offsets count from the `moof`). */
export function fragmentsOfTrack(segment: Buffer, id: number): Buffer {
  const fragments: Buffer[] = []
  for (const { type, content } of childrenOf(segment)) {
    if (type !== 'moof') continue
    const start = content.byteOffset - segment.byteOffset - HEADER
    const traf = [...childrenOf(content)].find((one) => one.type === 'traf' && fragmentTrackOf(one.content) === id)
    if (traf) fragments.push(fragmentOf(traf.content, segment.subarray(start)))
  }
  return Buffer.concat(fragments)
}

/** Bytes of the header of a box, and of the fields of `trun` before its offset. */
const HEADER = 8
const RUN_FIELDS = 8
const HAS_OFFSET = 0x1

/** Writes a fragment of one track. @param media bytes from its former `moof` on */
function fragmentOf(traf: Buffer, media: Buffer): Buffer {
  const children = [...childrenOf(traf)]
  const data: Buffer[] = []
  const offsets: number[] = []
  let length = 0
  for (const run of children.filter(({ type }) => type === 'trun')) {
    if ((run.content.readUIntBE(1, 3) & HAS_OFFSET) === 0) throw new MediaError('A run of the segment has no offset.')
    const header = children.filter(({ type }) => type === 'tfhd').map((one) => box(one.type, one.content))
    const alone = box('traf', ...header, box('trun', run.content))
    const size = entriesOf(alone).reduce((sum, entry) => sum + entry.size, 0)
    const offset = run.content.readInt32BE(RUN_FIELDS)
    if (offset < 0 || offset + size > media.length) throw new MediaError('A segment of the broadcast is incomplete.')
    data.push(media.subarray(offset, offset + size))
    offsets.push(length)
    length += size
  }
  const write = (base: number) => {
    const places = offsets.values()
    const moved = children.map(({ type, content }) => {
      if (type !== 'trun') return box(type, content)
      const copy = Buffer.from(content)
      copy.writeInt32BE(base + (places.next().value ?? 0), RUN_FIELDS)
      return box('trun', copy)
    })
    return box('moof', fullBox('mfhd', 0, 0, u32(1)), box('traf', ...moved))
  }
  return Buffer.concat([write(write(0).length + HEADER), box('mdat', ...data)])
}

/** Writes a track with the edit list of version 1, which the readers of published segments expect. */
function track(content: Buffer): Buffer {
  const edit = findBox(content, ['edts', 'elst'])
  const lead = edit === undefined ? 0 : edit[0] === 1 ? Number(edit.readBigInt64BE(16)) : edit.readInt32BE(12)
  const children = [...childrenOf(content)].filter(({ type }) => type !== 'edts')
  const edts = box('edts', fullBox('elst', 1, 0, u32(1), u64(0), u64(Math.max(0, lead)), u32(0x1_0000)))
  return box(
    'trak',
    ...children.flatMap((child) => [box(child.type, child.content), ...(child.type === 'tkhd' ? [edts] : [])]),
  )
}

const handlerOf = (trak: Buffer) => findBox(trak, ['mdia', 'hdlr'])?.toString('latin1', 8, 12)
const fragmentTrackOf = (traf: Buffer) => findBox(traf, ['tfhd'])?.readUInt32BE(4)

function trackIdOf(trak: Buffer): number {
  const header = findBox(trak, ['tkhd'])
  if (!header) throw new MediaError('A track of the init segment has no header.')
  return header.readUInt32BE(header[0] === 1 ? 20 : 12)
}
