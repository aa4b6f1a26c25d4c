import type { InputTrack } from 'mediabunny'
import { type ByteSource, bufferOf } from '../byte-source.ts'
import { readAhead } from '../read-ahead.ts'
import { type NamedFile, withWebm } from './open-webm.ts'

export interface StreamFacts {
  /** Codecs by their WebCodecs names, `vp8`, `avc` and the like; null for a file without such a track. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null
  readonly audio: { readonly codec: string; readonly channels: number } | null
  /** Seconds; null where only reading the whole file would show it. */
  readonly duration: number | null
}

/** Bytes fetched at once: an inspection reads a few bytes here and there, at both ends. */
const WINDOW = { window: 16 * 1024, kept: 6 } as const

/** Reports the tracks by the file's beginning or end. @throws {@link MediaError} for a file that is not WebM or Matroska */
export async function inspectStream(file: NamedFile) {
  const source = readAhead(file.source, WINDOW)
  source.begin()
  const missingBytes = Math.max(0, (await statedSize(source)) - source.size)
  return withWebm({ ...file, source }, async (input) => {
    const video = await input.getPrimaryVideoTrack()
    const audio = await input.getPrimaryAudioTrack()
    return {
      video: video && {
        codec: await codecOf(video),
        width: await video.getDisplayWidth(),
        height: await video.getDisplayHeight(),
      },
      audio: audio && { codec: await codecOf(audio), channels: await audio.getNumberOfChannels() },
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
const SEGMENT_ID = Buffer.from('18538067', 'hex')

/**
 * Returns the number of bytes that a WebM or Matroska file states (RFC 8794, 6), by which a truncated file is recognized.
 * 0 when it states none, as a file written to a pipe, or is another kind of file.
 */
async function statedSize(source: ByteSource): Promise<number> {
  const front = bufferOf(await source.read(0, Math.min(FRONT, source.size)))
  const at = front.indexOf(SEGMENT_ID) + SEGMENT_ID.length
  const bytes = Math.clz32(front[at] ?? 0) - 23 // of the size, by the zeros in front of its first bit
  const content = at + bytes
  if (at < SEGMENT_ID.length || bytes > 8 || content > front.length) return 0
  const unknown = 2n ** BigInt(7 * bytes) - 1n
  const size = BigInt(`0x${front.toString('hex', at, content)}`) & unknown
  return size === unknown ? 0 : content + Number(size)
}
