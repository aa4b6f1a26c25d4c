import { bufferOf } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'

/** The decoder configuration in the file's `avcC` box (ISO/IEC 14496-15, 5.3.3.1). */
export interface AvcConfiguration {
  /** Bytes that state the length of each NAL unit in a packet: 1, 2 or 4. */
  readonly lengthSize: number
  /** Sequence and picture parameter sets (SPS, PPS) as Annex B, to be sent before a keyframe. */
  readonly parameterSets: Buffer
}

const START_CODE = Buffer.from([0, 0, 0, 1])

/** Parses the content of an `avcC` box. @throws {@link MediaError} when it is truncated, or lacks a parameter set */
export function parseAvcConfiguration(avcC: Uint8Array): AvcConfiguration {
  const bytes = bufferOf(avcC)
  const units: Buffer[] = []
  try {
    if (bytes.readUInt8(0) !== 1) throw new RangeError('version')
    let position = 5
    for (const countMask of [0x1f, 0xff]) {
      const count = bytes.readUInt8(position++) & countMask
      if (count === 0) throw new RangeError('no parameter set')
      for (let n = 0; n < count; n++) {
        const start = position + 2
        position = start + bytes.readUInt16BE(position)
        if (position > bytes.length) throw new RangeError('length')
        units.push(START_CODE, bytes.subarray(start, position))
      }
    }
  } catch (cause) {
    throw new MediaError('The video cannot be decoded: its H.264 configuration (avcC) is damaged.', { cause })
  }
  return { lengthSize: (bytes.readUInt8(4) & 3) + 1, parameterSets: Buffer.concat(units) }
}

/**
 * Converts a keyframe from the MP4 format (each NAL unit behind its length) to a byte stream that decodes without context
 * (Annex B of H.264: parameter sets first, each NAL unit behind a start code).
 * @throws {@link MediaError} when the lengths do not add up to the packet
 */
export function toAnnexB(packet: Uint8Array, { lengthSize, parameterSets }: AvcConfiguration): Buffer {
  const bytes = bufferOf(packet)
  const parts: Buffer[] = [parameterSets]
  for (let position = 0; position < bytes.length; ) {
    const start = position + lengthSize
    const end = start <= bytes.length ? start + bytes.readUIntBE(position, lengthSize) : Number.POSITIVE_INFINITY
    if (end > bytes.length) {
      throw new MediaError('The video cannot be decoded: a keyframe is damaged, its NAL units exceed it.')
    }
    parts.push(START_CODE, bytes.subarray(start, end))
    position = end
  }
  return Buffer.concat(parts)
}
