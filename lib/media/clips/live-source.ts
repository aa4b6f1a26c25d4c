import { readFragments } from '../hls/fragment-reader.ts'
import type { ClockSpan, LiveList, LiveListedSegment } from '../hls/playlists/live-clip-playlist.ts'
import type { PublishedTrack } from '../joining/published-track.ts'
import { MediaError } from '../media-error.ts'
import { findBox } from '../mp4/boxes.ts'
import type { ClipSpan } from './clip-track.ts'
import type { ClipSource } from './cut-clip.ts'
import { readAhead } from './read-ahead.ts'
import { fragmentsOfTrack, selectTrack } from './single-track.ts'

/** The lists of a broadcast that hold a clip. Audio may have its own rendition. */
export interface LiveLists {
  readonly main: LiveList
  readonly audio?: LiveList | undefined
}

/** Reads an object, or a range of it. */
export type ReadLive = (uri: string, range?: LiveListedSegment['range']) => Promise<Buffer>

/**
 * Opens the tracks of segments that a broadcast keeps, and finds a clip on their timeline. Their video and audio may share
 * segments.
 * @throws {@link MediaError} when the broadcast has nothing at the time, or a segment is damaged
 */
export async function openLiveSource(
  { main, audio }: LiveLists,
  { from, to }: ClockSpan,
  read: ReadLive,
): Promise<{ readonly source: ClipSource; readonly span: ClipSpan }> {
  const [first] = main.segments
  if (!first) throw new MediaError('The broadcast has nothing at the time of the clip.')
  const readOnce = readAhead(read, [main.segments, audio?.segments ?? []])
  const video = await openTrack(main, 'video', readOnce)
  const sound = await openTrack(audio ?? main, 'audio', readOnce)
  const leading = video ?? sound
  if (!leading) throw new MediaError('The broadcast has no video and no audio.')
  const shift = (await leading.firstTime()) - first.start / 1000
  const place = (track: typeof video) => track?.at(shift)
  return {
    source: { video: place(video), audio: place(sound) },
    span: { from: from / 1000 + shift, to: to / 1000 + shift },
  }
}

async function openTrack({ initUri, segments }: LiveList, type: 'video' | 'audio', read: ReadLive) {
  const selected = selectTrack(await read(initUri), type)
  if (!selected) return undefined
  const { id, init } = selected
  const readTrack = async (index: number) => {
    const { uri, range } = segments[index] as LiveListedSegment
    return fragmentsOfTrack(await read(uri, range), id)
  }
  return {
    /** Returns the seconds of the encoding at which the first frame is shown. */
    async firstTime(): Promise<number> {
      const timescale = findBox(init, ['moov', 'trak', 'mdia', 'mdhd'])?.readUInt32BE(12) ?? 0
      const edit = findBox(init, ['moov', 'trak', 'edts', 'elst'])
      const lead = Number(edit?.readBigInt64BE(16) ?? 0)
      let earliest = Number.POSITIVE_INFINITY
      await readFragments(once(await readTrack(0)), {
        onConfiguration: () => {},
        onFrame: async ({ time }) => {
          earliest = Math.min(earliest, time)
        },
      })
      const seconds = (earliest - lead) / timescale
      if (!Number.isFinite(seconds)) throw new MediaError('A segment of the broadcast has no frame.')
      return seconds
    },
    /** Returns the track with its segments at the times of the encoding. @param shift from seconds since the epoch */
    at: (shift: number): PublishedTrack => ({
      type,
      rendition: {
        initUri,
        pieces: segments.map(({ start, duration }, index) => ({
          uri: String(index),
          index: { segments: [{ start: start / 1000 + shift, duration, offset: 0, size: 0 }], iframes: [] },
        })),
      },
      read: async (uri) => (uri === initUri ? init : readTrack(Number(uri))),
    }),
  }
}

async function* once(bytes: Buffer) {
  yield bytes
}
