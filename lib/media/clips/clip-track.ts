import type { ReadFrame } from '../hls/fragment-reader.ts'
import { endOf, type PlacedSegment, type PublishedTrack, segmentsOf } from '../joining/published-track.ts'
import { type ReadSegments, readSegments } from '../joining/read-segments.ts'
import { MediaError } from '../media-error.ts'
import { box, childrenOf, findBox } from '../mp4/boxes.ts'

/** A time range in seconds of the recording. */
export interface ClipSpan {
  readonly from: number
  readonly to: number
}

/** A frame or packet of a clip: the place of its bytes, and its times in ticks of the recording. */
export interface ClipFrame extends Pick<ReadFrame, 'time' | 'isKey'> {
  readonly size: number
  /** Position in stored order among all surveyed frames. */
  readonly place: number
  readonly segment: PlacedSegment
  /** Position in its segment. */
  readonly index: number
  /** Set for a frame that was encoded again. */
  readonly data?: Buffer
}

/** The part of a track around a clip, without its media. */
export interface SurveyedTrack {
  readonly track: PublishedTrack
  readonly timescale: number
  readonly lead: number
  /** The init segment. */
  readonly init: Buffer
  readonly frames: readonly ClipFrame[]
  /** Ticks at which the last surveyed segment ends. */
  readonly end: number
}

/** Seconds by which playlists and frames may differ. */
const MARGIN = 0.5

/** Lists the frames of the segments around a clip, in stored order. @throws {@link MediaError} when a segment is damaged */
export async function surveyTrack(track: PublishedTrack, { from, to }: ClipSpan): Promise<SurveyedTrack> {
  const segments = segmentsOf(track).filter((one) => one.start < to + MARGIN && endOf(one) > from - MARGIN)
  let about: Pick<ReadSegments, 'timescale' | 'lead' | 'stream'> | undefined
  const frames: ClipFrame[] = []
  for (const segment of segments) {
    const read = await readSegments(track, [segment])
    about = read
    for (const [index, { time, isKey, data }] of read.frames.entries())
      frames.push({ time, isKey, size: data.length, place: frames.length, segment, index })
  }
  const [init] = about?.stream ?? []
  const last = segments.at(-1)
  if (!about || !init || !last) throw new MediaError('The recording has nothing at the time of the clip.')
  const { timescale, lead } = about
  return { track, timescale, lead, init, frames, end: Math.round(endOf(last) * timescale) }
}

/** Yields the data of frames in their order. Reads each segment once, and holds one in memory. */
export async function* dataOf(
  { track }: Pick<SurveyedTrack, 'track'>,
  frames: readonly ClipFrame[],
): AsyncGenerator<Uint8Array, void, undefined> {
  let open: { readonly segment: PlacedSegment; readonly frames: readonly ReadFrame[] } | undefined
  for (const { data, segment, index } of frames) {
    if (!data && open?.segment !== segment) open = { segment, frames: (await readSegments(track, [segment])).frames }
    const bytes = data ?? open?.frames[index]?.data
    if (!bytes) throw new MediaError('A published segment has changed while the clip was cut.')
    yield bytes
  }
}

/** The path of the boxes of a track in its init segment. */
const TRACK = ['moov', 'trak']

/** Returns the sample description (`stsd`) of a track, with another decoder configuration if there is one. */
export function descriptionOf(init: Buffer, avcC?: Buffer): Buffer {
  const content = boxIn(init, [...TRACK, 'mdia', 'minf', 'stbl', 'stsd'])
  if (!avcC) return box('stsd', content)
  const [entry] = childrenOf(content.subarray(STSD_FIELDS))
  if (!entry) throw new MediaError('The video has no sample description.')
  const fields = entry.content.subarray(0, ENTRY_FIELDS)
  const children = [...childrenOf(entry.content.subarray(ENTRY_FIELDS))].map((child) =>
    box(child.type, child.type === 'avcC' ? avcC : child.content),
  )
  const whole = box(entry.type, Buffer.concat([fields, ...children]))
  return box('stsd', Buffer.concat([content.subarray(0, STSD_FIELDS), whole]))
}

/** Bytes of fields before the children of `stsd`, and of a visual sample entry. */
const STSD_FIELDS = 8
const ENTRY_FIELDS = 78

/** Returns the content of the `avcC` box; undefined for another codec. */
export const avcConfigurationOf = (init: Buffer): Buffer | undefined =>
  findBox(init, [...TRACK, 'mdia', 'minf', 'stbl', 'stsd', 'avc1', 'avcC'])

/** Returns size and matrix of a track as its header (`tkhd`, version 0) states them. */
export function placementOf(init: Buffer) {
  const header = boxIn(init, [...TRACK, 'tkhd'])
  return {
    matrix: header.subarray(40, 76),
    size: { width: header.readUInt32BE(76) / 65_536, height: header.readUInt32BE(80) / 65_536 },
  }
}

function boxIn(init: Buffer, path: readonly string[]): Buffer {
  const found = findBox(init, path)
  if (!found) throw new MediaError(`The init segment of the recording has no ${path.at(-1)} box.`)
  return found
}
