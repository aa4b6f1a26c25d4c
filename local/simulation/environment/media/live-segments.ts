import type { Clock } from '../../../../lib/clock.ts'
import { writeFragmentHead } from '../../../../lib/media/hls/fragments.ts'
import { writeInitSegment } from '../../../../lib/media/hls/init-segment.ts'
import type { Broadcaster, Media } from '../../../sandbox/media/media.ts'

/** Seconds of a segment. */
const SEGMENT = 6
/** Segments that a playlist lists: those of two hours with DVR, and of a minute without. */
const LISTED = { event: 1_200, window: 10 }
const TIMESCALE = 1_000

/** Matches the path of a playlist or a segment. */
const PLAYED = /^\/broadcasts\/([^/]+)\/(?:init\.mp4|live-(\d+)\.m4s|[a-z]+\.m3u8)$/

/** Returns true for a request of a player: for a playlist, or a segment. */
export const isPlayed = ({ url }: Pick<Request, 'url'>): boolean => PLAYED.test(new URL(url).pathname)

/** Serves the playlists and segments of broadcasts by HLS on media that has none. */
export function createLiveSegments(clock: Clock) {
  /** Starts of broadcasts by their ids, in milliseconds since the epoch. */
  const starts = new Map<string, number>()
  return {
    /** Adds playlists to the broadcasts of media. */
    addTo: (media: Media): Media => ({
      ...media,
      async startBroadcast(spec) {
        const broadcaster = await media.startBroadcast(spec)
        if (!spec.hls) return broadcaster
        starts.set(spec.id, clock.now())
        return withPlaylist(broadcaster, { clock, isFragmented: isFragmented(spec.id) })
      },
    }),
    /** Returns the init segment of a broadcast, or a segment of one frame; undefined for another request. */
    read({ url }: Pick<Request, 'url'>): Buffer | undefined {
      const [path, id = '', number] = PLAYED.exec(new URL(url).pathname) ?? []
      const start = starts.get(id)
      if (start === undefined || path?.endsWith('.m3u8')) return undefined
      return number === undefined ? init : segmentOf({ id, start, number: Number(number) })
    },
  }
}

/**
 * Returns false for half of the broadcasts: their segments are MPEG-TS, of which no clip can be cut, so clips wait for the
 * recording.
 */
export const isFragmented = (broadcastId: string): boolean => Number.parseInt(broadcastId.slice(0, 2), 16) >= 128

interface Playing {
  readonly clock: Clock
  readonly isFragmented: boolean
}

function withPlaylist(broadcaster: Broadcaster, { clock, isFragmented }: Playing): Broadcaster {
  const start = clock.now()
  let end: number | undefined
  return {
    ...broadcaster,
    async playlist(kind = 'window') {
      const complete = Math.floor(((end ?? clock.now()) - start) / (SEGMENT * 1000))
      if (complete === 0) return undefined
      const first = Math.max(0, complete - LISTED[kind])
      return writePlaylist({ start, first, complete, isFragmented, hasEnded: end !== undefined })
    },
    stop() {
      end ??= clock.now()
      return broadcaster.stop()
    },
  }
}

interface Listed {
  readonly start: number
  readonly first: number
  readonly complete: number
  readonly isFragmented: boolean
  readonly hasEnded: boolean
}

function writePlaylist({ start, first, complete, isFragmented, hasEnded }: Listed): string {
  const segments = Array.from({ length: complete - first }, (_, index) => first + index)
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${SEGMENT}`, `#EXT-X-MEDIA-SEQUENCE:${first}`],
    ...(isFragmented ? ['#EXT-X-MAP:URI="init.mp4"'] : []),
    ...segments.flatMap((number) => [
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(start + number * SEGMENT * 1000).toISOString()}`,
      `#EXTINF:${SEGMENT}.000,`,
      `live-${number}.${isFragmented ? 'm4s' : 'ts'}`,
    ]),
    ...(hasEnded ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n')
}

const init = writeInitSegment({
  ...{ type: 'video', codec: 'avc1.64001f', timescale: TIMESCALE, delay: 0, lead: 0 },
  ...{ configuration: Buffer.from([1, 100, 0, 31, 0xff, 0xe0, 0]), codedWidth: 640, codedHeight: 480 },
  ...{ width: 640, height: 480, rotation: 0, pixelAspect: { num: 1, den: 1 } },
})

function segmentOf({ id, start, number }: { readonly id: string; readonly start: number; readonly number: number }) {
  const [time, ticks] = [number * SEGMENT * TIMESCALE, SEGMENT * TIMESCALE]
  const frame = Buffer.from(`\n${JSON.stringify({ broadcast: id, start })}\n`)
  const sample = { time, decodeTime: time, slot: time, duration: ticks, decodeDuration: ticks, isKey: true }
  const head = writeFragmentHead([{ ...sample, size: frame.length }], { type: 'video', timescale: TIMESCALE, lead: 0 })
  return Buffer.concat([head, frame])
}

/** The facts that the frames of a segment state. */
export interface LiveFacts {
  /** Id of the broadcast. */
  readonly broadcast: string
  /** When it started, in milliseconds since the epoch: time 0 of its frames. */
  readonly start: number
}

/** Reads the facts of the segment of which a clip was made; undefined for another file. */
export function liveFactsIn(text: string): LiveFacts | undefined {
  const line = text.split('\n').find((one) => one.startsWith('{"broadcast":'))
  return line === undefined ? undefined : (JSON.parse(line) as LiveFacts)
}
