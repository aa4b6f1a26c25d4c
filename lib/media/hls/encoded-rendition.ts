import type { Readable } from 'node:stream'
import { type ReadFrame, readFragments } from './fragment-reader.ts'
import { writeInitSegment } from './init-segment.ts'
import type { SizedRendition } from './ladder.ts'
import { layOut, type PieceIndex, type PieceRange } from './layout.ts'
import type { OpenTrack } from './open-piece.ts'
import type { Sample } from './packets/samples.ts'
import type { VideoFacts } from './packets/tracks.ts'

export interface EncodedRendition {
  readonly name: string
  /** Codec string of RFC 6381. */
  readonly codec: string
  readonly picture: { readonly width: number; readonly height: number }
  /** The same for every piece of a recording. */
  readonly init: Buffer
  /** Segments that begin with the same frames as those of cutPiece. */
  readonly index: PieceIndex
}

/** Lays out a rendition from ffmpeg's output as cutPiece does, a segment at a time. Undefined without a frame. */
export async function layOutRendition(
  pipe: Readable,
  { name, width, height }: SizedRendition,
  { facts, list }: OpenTrack<VideoFacts>,
  take: (bytes: Buffer) => Promise<void>,
): Promise<EncodedRendition | undefined> {
  const own = {
    ...facts,
    codedWidth: width,
    codedHeight: height,
    width,
    height,
    rotation: 0,
    pixelAspect: SQUARE,
  } as const
  const timeline = { ...own, delay: 0 } // encoded without reordering
  const segments: PieceRange[] = []
  const iframes: PieceRange[] = []
  let configuration: Buffer | undefined
  let offset = 0
  let segment: ReadFrame[] = []

  const finish = async (end: number) => {
    if (segment.length === 0) return
    const { fragments, index } = layOut(samplesOf(segment, end), timeline)
    const moved = (range: PieceRange) => ({ ...range, offset: range.offset + offset })
    segments.push(...index.segments.map(moved))
    iframes.push(...index.iframes.map(moved))
    const data = segment.map((frame) => frame.data)
    const bytes = Buffer.concat(fragments.flatMap(({ head, samples }) => [head, ...data.splice(0, samples.length)]))
    offset += bytes.length
    segment = []
    await take(bytes)
  }
  await readFragments(pipe, {
    onConfiguration: (avcC) => {
      configuration = avcC
    },
    onFrame: async (frame) => {
      const time = frame.time - facts.lead
      if (frame.isKey) await finish(time)
      segment.push({ ...frame, time })
    },
  })
  const last = list.samples.at(-1) as Sample
  await finish(last.slot + last.duration)
  if (!configuration || segments.length === 0) return undefined
  const codec = `avc1.${configuration.toString('hex', 1, 4)}`
  const picture = { width, height }
  return {
    name,
    codec,
    picture,
    init: writeInitSegment({ ...timeline, codec, configuration }),
    index: { segments, iframes },
  }
}

const SQUARE = { num: 1, den: 1 } as const

const samplesOf = (frames: readonly ReadFrame[], end: number): Sample[] =>
  frames.map(({ time, isKey, data }, index) => {
    const next = frames[index + 1]?.time ?? end
    return { time, slot: time, duration: Math.max(0, next - time), size: data.length, isKey }
  })
