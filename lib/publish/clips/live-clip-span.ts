import type { ClockSpan } from '../../media/hls/playlists/live-clip-playlist.ts'
import { secondsOf } from '../../show/document/fields/moments.ts'
import { type ClipBound, LAST_MARKER, type LiveClipOrder, MAX_CLIP } from '../../show/document/orders/clip.ts'
import type { ShowRequest } from '../../show/state/request.ts'
import type { ShowState } from '../../show/state/state.ts'
import { type ClipProblem, MIN_CLIP } from './clip-span.ts'

/** Milliseconds that a broadcast keeps behind its newest video: its audio may end earlier. */
const EDGE = 100
/** Milliseconds before now that a broadcast may not keep yet. */
const LATENCY = 10_000

/**
 * Returns the time range that an order means, in milliseconds since the epoch, or what does not fit.
 * @param kept time range that the broadcast, or the recording, keeps
 */
export function liveClipSpanOf(
  { from, to, last }: Pick<LiveClipOrder, 'from' | 'to' | 'last'>,
  {
    request,
    state,
    kept,
    now,
  }: {
    readonly request: Pick<ShowRequest, 'show'>
    readonly state: Pick<ShowState, 'liveAt' | 'markers'>
    readonly kept: ClockSpan
    readonly now: number
  },
): ClockSpan | ClipProblem {
  const began = Date.parse(state.liveAt ?? '')
  const marker = lastMarkerOf(request, state, now)
  const path = from === LAST_MARKER ? 'from' : 'to'
  if ((from === LAST_MARKER || to === LAST_MARKER) && marker === undefined)
    return { path, message: 'needs a marker in the show, which has none' }
  const at = (bound: ClipBound) => (bound === LAST_MARKER ? (marker ?? 0) : began + secondsOf(bound, began) * 1000)
  const wanted = to === undefined ? now : at(to)
  if (wanted > now) return { path: 'to', message: 'must not be in the future' }
  const newest = kept.to - EDGE
  if (wanted > newest + LATENCY)
    return { path: 'to', message: `must not be after ${timeOf(newest)}: nothing after it is kept` }
  const end = Math.min(wanted, newest)
  const start = from === undefined ? Math.max(began, kept.from, end - (last ?? 0) * 1000) : at(from)
  if (start < kept.from)
    return {
      path: 'from',
      message: `must not be before ${timeOf(kept.from)}: nothing before it is kept`,
    }
  if (end - start < MIN_CLIP * 1000) return { path: 'to', message: `must be at least ${MIN_CLIP} s after from` }
  if (end - start > MAX_CLIP * 1000) return { path: 'to', message: `must be at most ${MAX_CLIP} s after from` }
  return { from: Math.round(start), to: Math.round(end) }
}

const timeOf = (ms: number) => new Date(Math.round(ms)).toISOString()

/** Returns the time of the latest marker that is not in the future, planned or requested; undefined without one. */
function lastMarkerOf(
  { show: { cues } }: Pick<ShowRequest, 'show'>,
  { liveAt = '', markers = [] }: Pick<ShowState, 'liveAt' | 'markers'>,
  now: number,
): number | undefined {
  const planned = cues.flatMap(({ at, marker }) => (marker === undefined ? [] : Date.parse(liveAt) + at * 1000))
  const times = [...planned, ...markers.map(({ at }) => Date.parse(at))].filter((time) => time <= now)
  return times.length > 0 ? Math.max(...times) : undefined
}
