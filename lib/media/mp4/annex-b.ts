import { MediaError } from '../media-error.ts'

/** What a decoder must know before the first frame, from the file's `avcC` box (ISO/IEC 14496-15, 5.3.3.1). */
export interface AvcConfiguration {
  /** How many bytes state the length of each NAL unit in a packet: 1, 2 or 4. */
  readonly lengthSize: number
  /** Sequence and picture parameter sets (SPS, PPS), ready to be sent ahead of a keyframe. */
  readonly parameterSets: Buffer
}

const START_CODE = Buffer.from([0, 0, 0, 1])

/** @throws MediaError when the bytes are not a whole `avcC` box with at least one of each parameter set */
export function parseAvcConfiguration(avcC: Uint8Array): AvcConfiguration {
  const bytes = Buffer.from(avcC.buffer, avcC.byteOffset, avcC.byteLength)
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
 * Turns a keyframe as MP4 stores it (each NAL unit behind its length) into a byte stream that decodes on its own
 * (Annex B of H.264: parameter sets first, each NAL unit behind a start code).
 * @throws MediaError when the lengths do not add up to the packet
 */
export function toAnnexB(packet: Uint8Array, { lengthSize, parameterSets }: AvcConfiguration): Buffer {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
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
