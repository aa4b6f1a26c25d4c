import type { PublishedTrack } from '../joining/published-track.ts'
import { MediaError } from '../media-error.ts'
import { box, text, u32 } from '../mp4/boxes.ts'
import { type MovieTrack, writeFront } from '../mp4/movie.ts'
import { cutClipAudio } from './clip-audio.ts'
import type { ClipSpan } from './clip-track.ts'
import { type ClipTrack, cutClipVideo } from './clip-video.ts'

/** The published tracks of a recording, as it was recorded. */
export interface ClipSource {
  readonly video?: PublishedTrack | undefined
  readonly audio?: PublishedTrack | undefined
}

export interface CutClip {
  /** Yields the bytes of an MP4 with its index in front; may be called repeatedly. */
  readonly content: () => AsyncGenerator<Uint8Array, void, undefined>
  /** Number of frames that were encoded again. */
  readonly encoded: number
}

/** Ticks per second of the durations of tracks and edits: a multiple of usual sample rates would exceed 32 bits in a day. */
const TIMESCALE = 48_000

/**
 * Cuts a clip out of the published segments of a recording, as an MP4. Video is copied except for the frames before its first
 * keyframe, and audio is copied. Holds the index and a segment of each track in memory.
 * @throws {@link MediaError} without a track, for a damaged segment, and when the first frames cannot be encoded
 */
export async function cutClip(
  { video, audio }: ClipSource,
  span: ClipSpan,
  { ffmpegPath }: { readonly ffmpegPath: string },
): Promise<CutClip> {
  const cutAudio = audio && cutClipAudio(audio, span, TIMESCALE)
  cutAudio?.catch(() => {}) // awaited behind the video, whose failure has priority
  const cut = [video && (await cutClipVideo(video, span, ffmpegPath)), await cutAudio]
    .filter((track) => track !== undefined)
    .filter(({ packets }) => packets.count > 0)
  if (cut.length === 0) throw new MediaError('The recording has no video and no audio at the time of the clip.')
  const duration = Math.round((span.to - span.from) * TIMESCALE)
  const tracks = cut.map((track): MovieTrack & ClipTrack => ({
    ...track,
    flags: 7,
    duration,
    handlerName: '\0',
    chunks: chunksOf(track),
  }))
  const front = writeFront(box('ftyp', text('isom'), u32(0x200), ...['isom', 'iso2', 'avc1', 'mp41'].map(text)), {
    timescale: TIMESCALE,
    versions: { headers: 0, edits: 1, media: 1 },
    hasLongOffsets: true,
    tracks,
  })
  return {
    encoded: cut.reduce((sum, { encoded }) => sum + encoded, 0),
    async *content() {
      yield front
      yield* interleave(tracks)
    },
  }
}

/** Returns the number of packets in each chunk, which holds a second. */
function chunksOf({ decodeTimes, timescale }: ClipTrack): number[] {
  const chunks: number[] = []
  for (const time of decodeTimes) {
    const second = Math.floor(time / timescale)
    while (chunks.length <= second) chunks.push(0)
    chunks[second] = (chunks[second] ?? 0) + 1
  }
  return chunks.filter((count) => count > 0)
}

/** Yields the chunks of all tracks in the order in which the front lists them. */
async function* interleave(tracks: readonly (MovieTrack & ClipTrack)[]): AsyncGenerator<Uint8Array, void, undefined> {
  const readers = tracks.map(({ chunks, data }) => ({ chunks, data: data() }))
  try {
    for (let chunk = 0; readers.some(({ chunks }) => chunk < chunks.length); chunk++) {
      for (const { chunks, data } of readers) {
        const parts: Uint8Array[] = []
        while (parts.length < (chunks[chunk] ?? 0)) {
          const { value } = await data.next()
          if (!value) throw new MediaError('The recording has changed while the clip was cut.')
          parts.push(value)
        }
        if (parts.length > 0) yield Buffer.concat(parts)
      }
    }
  } finally {
    for (const { data } of readers) await data.return()
  }
}
