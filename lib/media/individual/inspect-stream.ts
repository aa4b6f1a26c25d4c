import type { InputTrack } from 'mediabunny'
import { readAhead } from '../read-ahead.ts'
import { type NamedFile, withWebm } from './open-webm.ts'
import { statedSize } from './segment-size.ts'

/** The tracks of a stream's file. */
export interface StreamFacts {
  /** Codecs by their WebCodecs names, `vp8`, `avc` and the like; null for a file without such a track. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null
  /** Seconds; null where only reading the whole file would show it. */
  readonly duration: number | null
}

export interface InspectedStream extends StreamFacts {
  /** Bytes that the file states and does not have. */
  readonly missingBytes: number
}

/** Bytes fetched at once: an inspection reads a few bytes here and there, at both ends. */
const WINDOW = { window: 16 * 1024, kept: 6 } as const

/**
 * Reports the tracks of a stream's file by its beginning, and by its end where the index is stored there.
 * @throws {@link MediaError} for a file that is not WebM or Matroska; errors of the source pass through unchanged
 */
export async function inspectStream(file: NamedFile): Promise<InspectedStream> {
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
      missingBytes,
    }
  })
}

const codecOf = async (track: InputTrack) =>
  (await track.getCodec()) ?? String((await track.getInternalCodecId()) ?? 'unknown')
