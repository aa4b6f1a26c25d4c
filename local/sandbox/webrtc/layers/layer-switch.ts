import type { RtpPacket } from 'werift'
import type { Size } from '../../media/composing/picture.ts'
import type { SenderReport, VideoCodec } from '../../media/live/packets.ts'
import { shiftVp8, type Vp8Indices, vp8Indices } from '../../media/live/vp8.ts'

/** One of the sizes in which a publisher sends its video at once (simulcast, RFC 8853). */
export interface Layer {
  /** Of its last keyframe; undefined before the first. */
  readonly size: Size | undefined
  /** Milliseconds since the epoch of its last packet. */
  readonly arrivedAt: number
  requestKeyframe(): void
}

/** Selects one layer for one receiver, so that the receiver sees one stream without gaps. */
export interface LayerSwitch<L extends Layer> {
  /**
   * Returns the packet as the receiver gets it; undefined for one of another layer.
   * @param isKeyframe true for the first packet of a keyframe
   */
  take(layer: L, packet: RtpPacket, isKeyframe: boolean): RtpPacket | undefined
  /** Returns a report about the current layer with the receiver's timestamps; undefined for one of another layer. */
  translate(layer: L, report: SenderReport): SenderReport | undefined
  readonly current: L | undefined
}

/** Milliseconds without a packet after which a layer is off: browsers drop large ones when the network is slow. */
const MAX_SILENCE = 1_000
/** Milliseconds for which packets of the time before a switch may still arrive. */
const MAX_REORDERING = 500
/** Packets of padding by which the numbers of earlier packets differ, which may be sent again. */
const MAX_PADDING = 200

/**
 * Creates a switch. It changes the layer with a keyframe only, and requests one.
 * @param layers returns those that were negotiated
 * @param wants returns the size in which the receiver shows the video; undefined for the largest there is
 */
export function createLayerSwitch<L extends Layer>(
  codec: VideoCodec,
  layers: () => readonly L[],
  wants: () => Size | undefined,
  now: () => number,
): LayerSwitch<L> {
  let current: L | undefined
  let offset = { sequence: 0, timestamp: 0, indices: NO_SHIFT }
  let begun = { sequence: 0, at: -Infinity }
  /** Number of the newest packet of the layer, and those of the padding that was left out. */
  let newest = 0
  let padding: number[] = []
  let last: { sequence: number; timestamp: number; indices: Vp8Indices; at: number } | undefined

  function begin(layer: L, { header, payload }: RtpPacket): void {
    current = layer
    begun = { sequence: header.sequenceNumber, at: now() }
    newest = header.sequenceNumber
    padding = []
    if (!last) return
    const indices = codec === 'VP8' ? vp8Indices(payload) : {}
    const step = Math.max(1, Math.round((now() - last.at) * 90))
    offset = {
      sequence: last.sequence + 1 - header.sequenceNumber,
      timestamp: last.timestamp + step - header.timestamp,
      indices: {
        pictureId: (last.indices.pictureId ?? 0) + 1 - (indices.pictureId ?? 0),
        baseIndex: (last.indices.baseIndex ?? 0) + 1 - (indices.baseIndex ?? 0),
      },
    }
  }

  function leaveOut(sequence: number): void {
    offset = { ...offset, sequence: offset.sequence - 1 }
    padding.push(sequence)
    if (padding.length > MAX_PADDING) padding.shift()
  }

  return {
    get current() {
      return current
    },
    take(layer, packet, isKeyframe) {
      const wanted = chooseLayer(layers(), wants(), now())
      if (layer === wanted && layer !== current) {
        if (isKeyframe) begin(layer, packet)
        else layer.requestKeyframe()
      }
      if (layer !== current) return undefined
      const { sequenceNumber, timestamp } = packet.header
      const isEarlier = isAfter(begun.sequence, sequenceNumber)
      if (isEarlier && now() - begun.at < MAX_REORDERING) return undefined
      const isNew = isAfter(sequenceNumber, newest)
      if (isNew) newest = sequenceNumber
      // A sender probes the network by padding. The numbers of packets that were sent before it stay as they are.
      if (packet.payload.length === 0) {
        if (isNew) leaveOut(sequenceNumber)
        return undefined
      }
      const leftOut = isNew ? 0 : padding.filter((one) => isAfter(one, sequenceNumber)).length
      const copy = packet.clone()
      copy.header.sequenceNumber = (sequenceNumber + offset.sequence + leftOut) & 0xffff
      copy.header.timestamp = (timestamp + offset.timestamp) >>> 0
      if (codec === 'VP8') copy.payload = Buffer.from(shiftVp8(packet.payload, offset.indices))
      const isNewest = !last || !isAfter(last.sequence, copy.header.sequenceNumber)
      if (isNewest)
        last = {
          sequence: copy.header.sequenceNumber,
          timestamp: copy.header.timestamp,
          indices: codec === 'VP8' ? vp8Indices(copy.payload) : {},
          at: now(),
        }
      return copy
    },
    translate: (layer, report) =>
      layer === current ? { ...report, timestamp: (report.timestamp + offset.timestamp) >>> 0 } : undefined,
  }
}

/** Returns true for the sequence number of a packet that was sent after another one. */
const isAfter = (one: number, other: number) => one !== other && ((one - other) & 0xffff) < 0x8000

const NO_SHIFT = { pictureId: 0, baseIndex: 0 }

/** Returns the smallest layer that fills a size, else the largest; among those that arrive now. */
export function chooseLayer<L extends Layer>(
  layers: readonly L[],
  wanted: Size | undefined,
  now: number,
): L | undefined {
  const sized = layers.flatMap((layer) => (layer.size ? [{ layer, ...layer.size }] : []))
  const arriving = sized.filter(({ layer }) => now - layer.arrivedAt < MAX_SILENCE)
  const bySize = arriving.sort((one, other) => one.width * one.height - other.width * other.height)
  const filling = wanted && bySize.find(({ width, height }) => width >= wanted.width && height >= wanted.height)
  return (filling ?? bySize.at(-1))?.layer
}
