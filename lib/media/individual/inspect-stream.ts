import type { InputTrack } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { readAhead } from '../read-ahead.ts'
import { type NamedFile, withWebm } from './open-webm.ts'

export interface StreamFacts {
  /** Codecs by their WebCodecs names, `vp8`, `avc` and the like; null for a file without such a track. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null
  /** Seconds; null where only reading the whole file would show it. */
  readonly duration: number | null
}

/** Bytes fetched at once: an inspection reads a few bytes here and there, at both ends. */
const WINDOW = { window: 16 * 1024, kept: 6 } as const

/** Reports the tracks by the file's beginning or end. @throws {@link MediaError} for a file that is not WebM or Matroska */
export async function inspectStream(file: NamedFile) {
  const source = readAhead(file.source, WINDOW)
  source.begin()
  const missingBytes = Math.max(0, ((await statedSize(source)) ?? 0) - source.size)
  return withWebm({ ...file, source }, async (input) => {
    const video = await input.getPrimaryVideoTrack()
    const audio = await input.getPrimaryAudioTrack()
    return {
      video: video && {
        codec: await codecOf(video),
        width: await video.getDisplayWidth(),
        height: await video.getDisplayHeight(),
      },
      audio: audio && {
        codec: await codecOf(audio),
        sampleRate: await audio.getSampleRate(),
        channels: await audio.getNumberOfChannels(),
      },
      duration: missingBytes > 0 ? null : await input.getDurationFromMetadata(),
      /** Bytes that the file states and does not have. */
      missingBytes,
    }
  })
}

const codecOf = async (track: InputTrack) =>
  (await track.getCodec()) ?? String((await track.getInternalCodecId()) ?? 'unknown')

/** Bytes that hold the header in front of a segment (about 40) and the size that the segment states. */
const FRONT = 256
const HEADER_ID = 0x1a45dfa3
const SEGMENT_ID = 0x18538067

/**
 * Returns the number of bytes that a WebM or Matroska file states (RFC 8794, 6), by which a truncated file is recognized.
 * Undefined when it states none, as a file written to a pipe, or is another kind of file.
 */
async function statedSize(source: ByteSource): Promise<number | undefined> {
  const front = Buffer.from(await source.read(0, Math.min(FRONT, source.size)))
  const header = elementAt(front, 0)
  if (header?.id !== HEADER_ID || header.size === undefined) return undefined
  const segment = elementAt(front, header.data + header.size)
  return segment?.id === SEGMENT_ID && segment.size !== undefined ? segment.data + segment.size : undefined
}

interface Element {
  readonly id: number
  /** Undefined for an unknown size, whose bits are all ones. */
  readonly size: number | undefined
  /** First byte of the content. */
  readonly data: number
}

/** Parses an element whose id has four bytes. */
function elementAt(bytes: Buffer, at: number): Element | undefined {
  if (at + 5 > bytes.length) return undefined
  const length = Math.clz32(bytes.readUInt8(at + 4)) - 23 // bytes of the size, by the zeros in front of its first bit
  const data = at + 4 + length
  if (length > 8 || data > bytes.length) return undefined
  const unknown = 2n ** BigInt(7 * length) - 1n
  const size = BigInt(`0x${bytes.toString('hex', at + 4, data)}`) & unknown
  return { id: bytes.readUInt32BE(at), size: size === unknown ? undefined : Number(size), data }
}
