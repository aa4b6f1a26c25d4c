import { type ReadFrame, readFragments } from '../hls/fragment-reader.ts'
import { MediaError } from '../media-error.ts'
import type { PlacedSegment, PublishedTrack } from './published-track.ts'

/** Segments that follow one another, taken apart. */
export interface ReadSegments {
  /** The init segment and the segments behind it: what a decoder is fed. */
  readonly stream: readonly Buffer[]
  /** In stored order; times in ticks of the part's presentation. */
  readonly frames: readonly ReadFrame[]
  /** Ticks per second. */
  readonly timescale: number
  /** Ticks by which all times are written too large, as the init segment says. */
  readonly lead: number
}

/** Reads segments as cutPiece and encodePiece have written them. */
export async function readSegments(track: PublishedTrack, segments: readonly PlacedSegment[]): Promise<ReadSegments> {
  const stream = [asBuffer(await track.read(track.rendition.initUri))]
  for (const segment of segments) stream.push(asBuffer(await track.read(segment.uri, segment)))
  const [init, first] = stream
  const mediaHeader = init && findBox(init, ['moov', 'trak', 'mdia', 'mdhd'])
  if (!mediaHeader || !first || !findBox(first, ['moof', 'traf', 'tfdt']))
    throw new MediaError('A published segment is damaged: publish the recording once more.')
  const edit = findBox(init, ['moov', 'trak', 'edts', 'elst'])
  const lead = edit ? Number(edit.readBigInt64BE(16)) : 0
  const frames: ReadFrame[] = []
  await readFragments(inOrder(stream), {
    onConfiguration: () => {},
    onFrame: async (frame) => {
      frames.push({ ...frame, time: frame.time - lead })
    },
  })
  const timescale = mediaHeader.readUInt32BE(12)
  return { stream, frames, timescale, lead }
}

async function* inOrder(buffers: readonly Buffer[]) {
  yield* buffers
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The content of the first box at a path. */
function findBox(bytes: Buffer, [type, ...rest]: readonly string[]): Buffer | undefined {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = Math.max(8, bytes.readUInt32BE(at))
    const content = bytes.subarray(at + 8, at + size)
    if (bytes.toString('latin1', at + 4, at + 8) === type) return rest.length > 0 ? findBox(content, rest) : content
    at += size
  }
  return undefined
}
