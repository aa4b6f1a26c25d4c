import { bufferOf } from '../byte-source.ts'
import { type ReadFrame, readFragments } from '../hls/fragment-reader.ts'
import { MediaError } from '../media-error.ts'
import { findBox } from '../mp4/boxes.ts'
import type { PlacedSegment, PublishedTrack } from './published-track.ts'

/** Parsed consecutive segments. */
export interface ReadSegments {
  /** The init segment and the segments after it: the input of a decoder. */
  readonly stream: readonly Buffer[]
  /** Frames in stored order; times in ticks of the part’s presentation. */
  readonly frames: readonly ReadFrame[]
  /** Ticks per second. */
  readonly timescale: number
  /** Ticks that the init segment’s edit list subtracts from all times. */
  readonly lead: number
}

export async function readSegments(track: PublishedTrack, segments: readonly PlacedSegment[]): Promise<ReadSegments> {
  const { init, timescale } = await readInit(track)
  const stream = [init]
  for (const segment of segments) stream.push(bufferOf(await track.read(segment.uri, segment)))
  if (stream.slice(1).some((segment) => !findBox(segment, ['moof', 'traf', 'tfdt']))) throw damaged()
  const edit = findBox(init, ['moov', 'trak', 'edts', 'elst'])
  const lead = edit ? Number(edit.readBigInt64BE(16)) : 0
  const frames: ReadFrame[] = []
  await readFragments(inOrder(stream), {
    onConfiguration: () => {},
    onFrame: async (frame) => {
      frames.push({ ...frame, time: frame.time - lead })
    },
  })
  return { stream, frames, timescale, lead }
}

/** Reads a track's init segment and its ticks per second. */
export async function readInit(track: PublishedTrack): Promise<{ readonly init: Buffer; readonly timescale: number }> {
  const init = bufferOf(await track.read(track.rendition.initUri))
  const mediaHeader = findBox(init, ['moov', 'trak', 'mdia', 'mdhd'])
  if (!mediaHeader) throw damaged()
  return { init, timescale: mediaHeader.readUInt32BE(12) }
}

export const damaged = () => new MediaError('A published segment is damaged: publish the recording again.')

async function* inOrder(buffers: readonly Buffer[]) {
  yield* buffers
}
