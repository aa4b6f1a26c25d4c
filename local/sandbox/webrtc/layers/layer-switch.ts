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
  let last: { sequence: number; timestamp: number; indices: Vp8Indices; at: number } | undefined

  function begin(layer: L, { header, payload }: RtpPacket): void {
    current = layer
    begun = { sequence: header.sequenceNumber, at: now() }
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
      const isEarlier = ((sequenceNumber - begun.sequence) & 0xffff) >= 0x8000
      if (isEarlier && now() - begun.at < MAX_REORDERING) return undefined
      if (packet.payload.length === 0) {
        offset = { ...offset, sequence: offset.sequence - 1 }
        return undefined // padding, by which a sender probes the network
      }
      const copy = packet.clone()
      copy.header.sequenceNumber = (sequenceNumber + offset.sequence) & 0xffff
      copy.header.timestamp = (timestamp + offset.timestamp) >>> 0
      if (codec === 'VP8') copy.payload = Buffer.from(shiftVp8(packet.payload, offset.indices))
      const isNewest = !last || ((copy.header.sequenceNumber - last.sequence) & 0xffff) < 0x8000
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
