import type { Size } from '../composing/picture.ts'
import { annexBPartOf, h264Size, hasIdr } from './h264.ts'
import type { LivePacket, VideoCodec } from './packets.ts'
import { beginsVp8Frame, vp8KeyframeSize, vp8PartOf } from './vp8.ts'

/** A whole encoded picture. */
export interface EncodedFrame {
  readonly timestamp: number
  readonly at: number
  readonly data: Uint8Array
  /** Of a keyframe: it can be decoded alone. */
  readonly size?: Size | undefined
}

export interface FrameAssembler {
  /** Takes the next packet of the sequence; returns the frame that it completes. */
  push(packet: LivePacket): EncodedFrame | undefined
  /** Forgets what it holds: packets are missing. */
  reset(): void
}

/** Creates an assembler that joins packets in sequence to frames. A frame ends with the packet that has the marker. */
export function createFrameAssembler(codec: VideoCodec): FrameAssembler {
  let parts: Uint8Array[] = []
  let timestamp: number | undefined
  let size: Size | undefined
  /** H.264 may send the parameters in a packet of an earlier timestamp. */
  let announced: Size | undefined
  let isKeyframe = false
  let isWhole = false

  const reset = () => {
    parts = []
    timestamp = undefined
    isWhole = false
  }
  const begin = (packet: LivePacket) => {
    reset()
    timestamp = packet.timestamp
    isWhole = codec === 'H264' || beginsVp8Frame(packet.payload)
    size = undefined
    isKeyframe = false
  }
  const take = ({ payload }: LivePacket) => {
    if (codec === 'H264') {
      announced = h264Size(payload) ?? announced
      isKeyframe ||= hasIdr(payload)
      parts.push(annexBPartOf(payload))
      return
    }
    const part = vp8PartOf(payload)
    if (parts.length === 0) size = vp8KeyframeSize(part)
    parts.push(part)
  }

  return {
    reset,
    push(packet) {
      if (packet.payload.length === 0) return undefined // padding, by which a sender probes the network
      if (packet.timestamp !== timestamp) begin(packet)
      take(packet)
      if (!packet.marker || !isWhole) return undefined
      const frame = {
        ...{ timestamp: packet.timestamp, at: packet.at, data: Buffer.concat(parts) },
        size: codec === 'H264' ? (isKeyframe ? announced : undefined) : size,
      }
      reset()
      return frame
    },
  }
}

/** Returns the size of the pictures that begin with a packet; undefined if the packet does not carry it. */
export const sizeIn = (codec: VideoCodec, payload: Uint8Array): Size | undefined =>
  codec === 'H264' ? h264Size(payload) : beginsVp8Frame(payload) ? vp8KeyframeSize(vp8PartOf(payload)) : undefined
