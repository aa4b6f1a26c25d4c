import type { InputTrack } from 'mediabunny'
import { readAhead } from '../hls/packets/read-ahead.ts'
import { type NamedFile, withWebm } from './open-webm.ts'
import { statedSize } from './segment-size.ts'

/** What the file of one stream holds. */
export interface StreamFacts {
  /** By the names WebCodecs gives them, `vp8`, `avc` and the like; null for a file without such a track. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null
  /** Seconds; null where only reading all of it would tell. */
  readonly duration: number | null
}

export interface InspectedStream extends StreamFacts {
  /** Bytes that the file should have and has not. */
  readonly missingBytes: number
}

/**
 * Reports what the file of a stream holds by its beginning, and by its end where the index lies there.
 * @throws MediaError for a file that is no WebM or Matroska; whatever the source rejects with, unchanged
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

/** Bytes fetched at once: what is asked for is a few bytes here and there, at both ends. */
const WINDOW = { window: 16 * 1024, kept: 6 } as const

const codecOf = async (track: InputTrack) =>
  (await track.getCodec()) ?? String((await track.getInternalCodecId()) ?? 'unknown')
