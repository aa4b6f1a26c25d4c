import { dateOf, LIVE_INIT } from './kept-playlist.ts'
import type { LivePart, LiveSegment } from './live-segment.ts'
import { LIVE_SEGMENT_SECONDS, type LiveTimeline } from './live-timeline.ts'

/** Upper bound of a part in seconds: ten frames at 30 frames per second. */
export const PART_TARGET = 0.334
/** Seconds of the window in a playlist without DVR. */
const WINDOW_SECONDS = 30
/**
 * Seconds from the end of the playlist within which parts are listed: less than three target durations (RFC 8216bis, 6.2.2).
 * Parsers count the segment that is announced as one of the three.
 */
const PARTS_SECONDS = 3 * LIVE_SEGMENT_SECONDS - 0.1
/** Seconds before the end of the last segment that a delta update always has (RFC 8216bis, 6.2.5.1): six segments. */
const SKIP_SECONDS = 6 * LIVE_SEGMENT_SECONDS

/** Form of a live playlist. */
export interface LivePlaylistForm {
  /** `event`: all segments from the start. `window`: the newest 30 s. */
  readonly kind: 'window' | 'event'
  /** True to list parts, and to let a player wait for the next one. */
  readonly lowLatency: boolean
  /** True to leave out segments that the player has from an earlier request. @default false */
  readonly skip?: boolean
  /** True for a playlist that is stored: no server leaves out segments on request. @default false */
  readonly isStored?: boolean
  /** Ends of the other renditions' playlists, with low latency. @default none */
  readonly reports?: readonly RenditionReport[]
}

/** End of another rendition's playlist (RFC 8216bis, 4.4.5.4). */
export interface RenditionReport {
  /** Relative to the playlist. */
  readonly uri: string
  readonly timeline: Timeline
}

/** Returns the name of a segment in playlists. */
export const segmentName = (number: number): string => `segment-${String(number).padStart(5, '0')}.m4s`

/** Returns the name of a part in playlists. */
const partName = (number: number, part: number): string => `part-${String(number).padStart(5, '0')}.${part}.m4s`

/** Writes the media playlist of a broadcast (RFC 8216bis). */
export function writeLivePlaylist(
  whole: Timeline,
  { kind, lowLatency, skip = false, isStored = false, reports = [] }: LivePlaylistForm,
): string {
  const timeline = lowLatency ? whole : { segments: whole.segments, current: [], hasEnded: whole.hasEnded }
  const { segments, current, hasEnded } = timeline
  const first = kind === 'event' ? 0 : firstWithin(timeline, WINDOW_SECONDS)
  const boundary = Math.max(first, firstWithin({ ...timeline, current: [] }, SKIP_SECONDS))
  const shown = skip ? boundary : first
  const skipped = shown - first
  const withParts = lowLatency ? firstWithin(timeline, PARTS_SECONDS) : segments.length
  const next = segments.length
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    `#EXT-X-TARGETDURATION:${LIVE_SEGMENT_SECONDS}`,
    ...(isStored ? [] : [serverControl(lowLatency)]),
    ...(lowLatency ? [`#EXT-X-PART-INF:PART-TARGET=${PART_TARGET}`] : []),
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...(kind === 'event' ? ['#EXT-X-PLAYLIST-TYPE:EVENT'] : []),
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(skipped > 0 ? [`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`] : []),
    `#EXT-X-MAP:URI="${LIVE_INIT}"`,
    ...segments.slice(shown).flatMap((segment, index) => {
      const number = shown + index
      return segmentLines(segment, number, number >= withParts)
    }),
    ...(lowLatency && !hasEnded ? [...openSegment(current, next), ...reports.flatMap(reportLine)] : []),
    ...(hasEnded ? ['#EXT-X-ENDLIST'] : []),
  ]
  return `${lines.join('\n')}\n`
}

type Timeline = Pick<LiveTimeline, 'segments' | 'current' | 'hasEnded'>

function serverControl(lowLatency: boolean): string {
  const control = [
    ...(lowLatency ? ['CAN-BLOCK-RELOAD=YES', `PART-HOLD-BACK=${(3 * PART_TARGET).toFixed(3)}`] : []),
    `CAN-SKIP-UNTIL=${SKIP_SECONDS.toFixed(1)}`,
  ]
  return `#EXT-X-SERVER-CONTROL:${control.join(',')}`
}

function segmentLines(segment: LiveSegment, number: number, withParts: boolean): string[] {
  return [
    `#EXT-X-PROGRAM-DATE-TIME:${dateOf(segment.start)}`,
    ...(withParts ? partLines(segment.parts, number) : []),
    `#EXTINF:${segment.duration.toFixed(5)},`,
    segmentName(number),
  ]
}

function openSegment(parts: readonly LivePart[], number: number): string[] {
  const [first] = parts
  return [
    ...(first ? [`#EXT-X-PROGRAM-DATE-TIME:${dateOf(first.start)}`] : []),
    ...partLines(parts, number),
    `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${partName(number, parts.length)}"`,
  ]
}

function reportLine({ uri, timeline: { segments, current } }: RenditionReport): string[] {
  const isOpen = current.length > 0
  const [segment, parts] = isOpen ? [segments.length, current] : [segments.length - 1, segments.at(-1)?.parts ?? []]
  if (parts.length === 0) return []
  return [`#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${segment},LAST-PART=${parts.length - 1}`]
}

const partLines = (parts: readonly LivePart[], number: number) =>
  parts.map(
    ({ duration, isIndependent }, index) =>
      `#EXT-X-PART:DURATION=${duration.toFixed(5)},URI="${partName(number, index)}"${isIndependent ? ',INDEPENDENT=YES' : ''}`,
  )

/** Returns the number of the first segment that begins within so many seconds of the end. */
function firstWithin({ segments, current }: Timeline, seconds: number): number {
  let left = seconds - current.reduce((sum, { duration }) => sum + duration, 0)
  let first = segments.length
  for (; first > 0; first--) {
    left -= segments.at(first - 1)?.duration ?? 0
    if (left < -TOLERANCE) break
  }
  return first
}

/** Seconds: more than the rounding error of a sum. */
const TOLERANCE = 0.001
