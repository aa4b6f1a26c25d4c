import type { EncodedPacket, EncodedPacketSink, PacketRetrievalOptions } from 'mediabunny'
import { MediaError } from '../media-error.ts'
import { decodeSlots } from './reordering.ts'
import type { FoundTrack } from './tracks.ts'

/** A packet as a fragment lists it. Times are in ticks of its track, from the start of the presentation. */
export interface Sample {
  /** When it is shown; negative for what lies before the start. */
  readonly time: number
  /** Whose turn it is when it is decoded, see decodeSlots. */
  readonly slot: number
  /** Until the next slot. */
  readonly duration: number
  /** In bytes. */
  readonly size: number
  readonly isKey: boolean
}

/** Seconds of the presentation. A piece that begins at 0 has what lies before it too. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface SampleList {
  readonly samples: readonly Sample[]
  /** The packets themselves, in the same order, read as they are asked for. */
  readonly packets: () => AsyncGenerator<EncodedPacket, void, unknown>
}

/** The index is all that is read here. */
const INDEX_ONLY = { metadataOnly: true } as const
/** Seconds: less than any frame, more than a number may lose on its way through a document. */
const ROUNDING = 1e-6

/**
 * Lists a track's packets of one piece, in the order in which they are stored. Of a video they are those from the keyframe at
 * `start` up to the one at `end`, wherever the frames between are shown; of sound, those that begin from `start` until `end`.
 * So pieces that touch share no packet and leave none out. A track may have none there.
 */
export async function listSamples({ sink, facts }: FoundTrack, span: Span): Promise<SampleList> {
  const find = facts.type === 'video' ? keyPacketAt : packetFrom
  const locateFirst = (options?: PacketRetrievalOptions) =>
    span.start <= 0 ? sink.getFirstPacket(options) : find(sink, span.start, options)
  const first = await locateFirst(INDEX_ONLY)
  const next = await find(sink, span.end, INDEX_ONLY)
  if (!first || (next && next.sequenceNumber <= first.sequenceNumber)) {
    return { samples: [], packets: async function* () {} }
  }
  const toTicks = (seconds: number) => Math.round(seconds * facts.timescale)
  const listed: Listed[] = []
  for await (const { timestamp, duration, type, byteLength } of sink.packets(first, next ?? undefined, INDEX_ONLY)) {
    listed.push({ time: toTicks(timestamp), duration: toTicks(duration), size: byteLength, isKey: type === 'key' })
  }
  return {
    samples: toSamples(listed, next && toTicks(await firstShown(sink, next))),
    packets: async function* () {
      const start = await locateFirst()
      if (start) yield* sink.packets(start, next ?? undefined)
    },
  }
}

/** Null when the track has no keyframe from there on. */
async function keyPacketAt(sink: EncodedPacketSink, seconds: number, options?: PacketRetrievalOptions) {
  const before = await sink.getKeyPacket(seconds + ROUNDING, options)
  if (!before) return sink.getFirstKeyPacket(options)
  return before.timestamp >= seconds - ROUNDING ? before : sink.getNextKeyPacket(before, options)
}

async function packetFrom(sink: EncodedPacketSink, seconds: number, options?: PacketRetrievalOptions) {
  const before = await sink.getPacket(seconds, options)
  if (!before) return sink.getFirstPacket(options)
  return before.timestamp >= seconds ? before : sink.getNextPacket(before, options)
}

/** Frames of an open GOP are stored behind their keyframe and shown before it. */
async function firstShown(sink: EncodedPacketSink, key: EncodedPacket): Promise<number> {
  let earliest = key.timestamp
  for (let packet = await sink.getNextPacket(key, INDEX_ONLY); packet && packet.timestamp < key.timestamp; ) {
    earliest = Math.min(earliest, packet.timestamp)
    packet = await sink.getNextPacket(packet, INDEX_ONLY)
  }
  return earliest
}

/** As the index has it: the duration is that of the frame, whatever its place. */
type Listed = Omit<Sample, 'slot'>

/** @param end when what follows the piece is shown; null at the end of the track */
function toSamples(listed: readonly Listed[], end: number | null): Sample[] {
  const slots = decodeSlots(listed)
  const lastShown = listed.reduce((a, b) => (b.time >= a.time ? b : a))
  const lastEnd = end ?? lastShown.time + Math.max(1, lastShown.duration)
  return listed.map((packet, index) => {
    const slot = slots[index] as number
    return { ...packet, slot, duration: Math.max(0, (slots[index + 1] ?? lastEnd) - slot) }
  })
}

/** @throws MediaError when the file ends before its index says so, or holds another packet than the index lists */
export async function dataOf(
  packets: AsyncGenerator<EncodedPacket, void, unknown>,
  sample: Sample,
): Promise<Uint8Array> {
  const { value: packet } = await packets.next()
  if (!packet || packet.data.length !== sample.size) {
    throw new MediaError('The file is cut off: its index lists packets that are not there.')
  }
  return packet.data
}
