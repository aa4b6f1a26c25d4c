/** A tag of an FLV file; types are those of RTMP messages: 8 for audio, 9 for pictures, 18 for metadata. */
export interface FlvTag {
  readonly type: 8 | 9 | 18
  /** Milliseconds from the beginning of the file. */
  readonly time: number
  readonly body: Buffer
}

const FILE_HEADER_BYTES = 9
const TAG_HEADER_BYTES = 11
/** Bytes before the first tag and after each one: the length of the previous tag. */
const LENGTH_BYTES = 4
const H264 = 7
const AAC = 10

/** Creates a reader that splits a growing FLV file into tags, in chunks of any size. It throws an Error for other formats. */
export function createFlvReader(): (chunk: Uint8Array) => FlvTag[] {
  let rest: Buffer = Buffer.of()
  let isBegun = false
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk)
    const tags: FlvTag[] = []
    let at = 0
    if (!isBegun) {
      if (rest.length < FILE_HEADER_BYTES + LENGTH_BYTES) return tags
      if (rest.toString('latin1', 0, 3) !== 'FLV') throw new Error('The encoder’s output is not FLV.')
      at = rest.readUInt32BE(5) + LENGTH_BYTES
      isBegun = true
    }
    while (rest.length >= at + TAG_HEADER_BYTES) {
      const type = rest.readUInt8(at)
      if (type !== 8 && type !== 9 && type !== 18)
        throw new Error(`The encoder’s output has an FLV tag of type ${type}.`)
      const end = at + TAG_HEADER_BYTES + rest.readUIntBE(at + 1, 3)
      if (rest.length < end + LENGTH_BYTES) break
      const time = rest.readUIntBE(at + 4, 3) + rest.readUInt8(at + 7) * 2 ** 24 // the highest byte is last
      tags.push({ type, time, body: rest.subarray(at + TAG_HEADER_BYTES, end) })
      at = end + LENGTH_BYTES
    }
    rest = rest.subarray(at)
    return tags
  }
}

/** Returns true for a tag that decoders need first: metadata and codec parameters at the start of the file. */
export const isSetup = ({ type, body }: FlvTag) =>
  type === 18 ||
  (type === 9 && ((body[0] ?? 0) & 0x0f) === H264 && body[1] === 0) ||
  (type === 8 && (body[0] ?? 0) >> 4 === AAC && body[1] === 0)

/** Returns true for a picture at which decoding can start. */
export const isKeyFrame = ({ type, body }: FlvTag) => type === 9 && (body[0] ?? 0) >> 4 === 1 && body[1] === 1
