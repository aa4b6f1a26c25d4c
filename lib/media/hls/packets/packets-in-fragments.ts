import type { EncodedPacket, EncodedPacketSink, InputTrack, PacketRetrievalOptions } from 'mediabunny'
import {
  cutOff,
  type Listed,
  NO_SAMPLES,
  type PresentationSpan,
  ROUNDING,
  type SampleData,
  toSamples,
} from './samples.ts'
import type { TrackPackets } from './track-packets.ts'

/** Reads only the index. */
const INDEX_ONLY = { metadataOnly: true } as const

export function packetsInFragments(track: InputTrack, sink: EncodedPacketSink, timescale: number): TrackPackets {
  const toTicks = (seconds: number) => Math.round(seconds * timescale)
  const find = track.isVideoTrack() ? keyPacketAt : packetFrom
  const locateFirst = (span: PresentationSpan, options?: PacketRetrievalOptions) =>
    span.start <= 0 ? sink.getFirstPacket(options) : find(sink, span.start, options)

  return {
    async first(count) {
      const seen: { time: number; isKey: boolean }[] = []
      for await (const { timestamp, type } of sink.packets(undefined, undefined, INDEX_ONLY)) {
        seen.push({ time: toTicks(timestamp), isKey: type === 'key' })
        if (seen.length === count) break
      }
      return seen
    },
    async list(span) {
      const first = await locateFirst(span, INDEX_ONLY)
      const next = await find(sink, span.end, INDEX_ONLY)
      if (!first || (next && next.sequenceNumber <= first.sequenceNumber)) return NO_SAMPLES
      const listed: Listed[] = []
      for await (const { timestamp, duration, type, byteLength } of sink.packets(
        first,
        next ?? undefined,
        INDEX_ONLY,
      )) {
        listed.push({ time: toTicks(timestamp), duration: toTicks(duration), size: byteLength, isKey: type === 'key' })
      }
      const samples = toSamples(listed, next && toTicks(await firstShown(sink, next)))
      return { samples, open: () => dataOf(packetsFrom(locateFirst(span), next), listed) }
    },
    end: () => track.computeDuration(),
    async keyframesBehind(times) {
      const found = new Set<number>()
      for (const time of times) {
        const before = await sink.getKeyPacket(time, INDEX_ONLY)
        const key = before && (await sink.getNextKeyPacket(before, INDEX_ONLY))
        if (key && key.timestamp > 0) found.add(key.timestamp)
      }
      return [...found]
    },
  }

  async function* packetsFrom(first: Promise<EncodedPacket | null>, next: EncodedPacket | null) {
    const start = await first
    if (start) yield* sink.packets(start, next ?? undefined)
  }
}

function dataOf(packets: AsyncGenerator<EncodedPacket, void, unknown>, listed: readonly Listed[]): SampleData {
  let taken = 0
  return {
    async next() {
      const { value: packet } = await packets.next()
      if (!packet || packet.data.length !== listed[taken++]?.size) throw cutOff()
      return packet.data
    },
    async close() {
      await packets.return()
    },
  }
}

/** Finds the keyframe at a time, or else the next one; null at the end of the track. */
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

/** Returns the earliest time of a GOP: frames of an open GOP are stored behind their keyframe and shown before it. */
async function firstShown(sink: EncodedPacketSink, key: EncodedPacket): Promise<number> {
  let earliest = key.timestamp
  for (let packet = await sink.getNextPacket(key, INDEX_ONLY); packet && packet.timestamp < key.timestamp; ) {
    earliest = Math.min(earliest, packet.timestamp)
    packet = await sink.getNextPacket(packet, INDEX_ONLY)
  }
  return earliest
}
