/** The tracks that a file states. */
interface StatedTracks {
  readonly seconds: number
  readonly video: { readonly width: number; readonly height: number } | null
  readonly hasAudio: boolean
}

/** Nanoseconds in a tick of a file's times: a millisecond. */
const TICK = 1_000_000

/** Writes a WebM file that states a duration and its tracks (VP8, Opus), and has no packets (RFC 9559, 5.1). */
export function writeEmptyWebm({ seconds, video, hasAudio }: StatedTracks): Buffer {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(seconds * 1000)
  const samplingFrequency = Buffer.alloc(8)
  samplingFrequency.writeDoubleBE(48_000)
  const header = element('1a45dfa3', element('4282', Buffer.from('webm')), element('4287', [4]), element('4285', [2]))
  const info = element('1549a966', element('2ad7b1', uint(TICK)), element('4489', duration))
  const picture = video && element('e0', element('b0', uint(video.width)), element('ba', uint(video.height)))
  const sound = element('e1', element('b5', samplingFrequency), element('9f', [1]))
  const tracks = [
    ...(picture ? [track(TYPES.video, 'V_VP8', picture)] : []),
    ...(hasAudio ? [track(TYPES.audio, 'A_OPUS', sound)] : []),
  ]
  return Buffer.concat([header, element('18538067', info, element('1654ae6b', ...tracks))])
}

const TYPES = { video: 1, audio: 2 } as const

/** Writes the entry of a track, whose type is its number as well: there is one of each. */
const track = (type: number, codec: string, format: Buffer) =>
  element(
    'ae',
    ...[element('d7', [type]), element('73c5', [type]), element('83', [type])],
    ...[element('86', Buffer.from(codec)), format],
  )

/** Writes an element: its id, its length in eight bytes, its content. */
function element(id: string, ...content: readonly (Uint8Array | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)))
  const length = uint(body.length)
  length.writeUInt8(0x01)
  return Buffer.concat([Buffer.from(id, 'hex'), length, body])
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
