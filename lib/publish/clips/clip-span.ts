import type { ClipSpan } from '../../media/clips/clip-track.ts'
import type { Services } from '../../services.ts'
import { markersOf } from '../../show/document/cue.ts'
import { secondsOf } from '../../show/document/fields/moments.ts'
import { type ClipBound, type ClipOrder, LAST_MARKER, MAX_CLIP } from '../../show/document/orders/clip.ts'
import type { Manifest } from '../manifest/manifest.ts'

/** A field of an order that does not fit the recording, and a message that continues it. */
export interface ClipProblem {
  readonly path: string
  readonly message: string
}

/** Seconds: the minimum duration of a clip. */
export const MIN_CLIP = 0.5

type Recording = Pick<Manifest, 'show' | 'createdAt' | 'pauses'> & { readonly duration: number }

/** Returns the time range that an order means, in seconds of the recording, or what does not fit. */
export async function clipSpanOf(
  { from, to, last }: Pick<ClipOrder, 'from' | 'to' | 'last'>,
  recording: Recording,
  services: Pick<Services, 'records'>,
): Promise<ClipSpan | ClipProblem> {
  const { duration } = recording
  const isAtMarker = from === LAST_MARKER || to === LAST_MARKER
  const marker = isAtMarker ? await lastMarkerOf(recording, services) : undefined
  const path = from === LAST_MARKER ? 'from' : 'to'
  if (isAtMarker && marker === undefined) return { path, message: 'needs a marker in the recording, which has none' }
  const at = (bound: ClipBound) => (bound === LAST_MARKER ? (marker ?? 0) : recordedAt(bound, recording))
  const start = from === undefined ? Math.max(0, duration - (last ?? 0)) : at(from)
  const end = to === undefined ? duration : at(to)
  const whole = `the recording lasts ${duration.toFixed(3)} s`
  if (start < 0)
    return { path: 'from', message: `must not be before the start of the recording, at ${recording.createdAt}` }
  if (start >= duration) return { path: 'from', message: `must be before the end of the recording: ${whole}` }
  if (end > duration + MIN_CLIP) return { path: 'to', message: `must not be after the end of the recording: ${whole}` }
  const span = { from: milliseconds(start), to: milliseconds(Math.min(end, duration)) }
  if (span.to - span.from < MIN_CLIP) return { path: 'to', message: `must be at least ${MIN_CLIP} s after from` }
  if (span.to - span.from > MAX_CLIP) return { path: 'to', message: `must be at most ${MAX_CLIP} s after from` }
  return span
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Returns the seconds of a recording at a bound. Of the time on the clock, pauses are taken off: nothing was recorded in them. */
function recordedAt(bound: Exclude<ClipBound, typeof LAST_MARKER>, { createdAt, pauses = [] }: Recording): number {
  if (typeof bound === 'number') return bound
  return pauses.reduce(
    (seconds, { at, duration }) => (seconds <= at ? seconds : at + Math.max(0, seconds - at - duration)),
    secondsOf(bound, Date.parse(createdAt)),
  )
}

/** Returns the seconds of the recording at its latest marker, planned or requested; undefined without one. */
async function lastMarkerOf(recording: Recording, { records }: Pick<Services, 'records'>): Promise<number | undefined> {
  const { show, duration } = recording
  if (!show) return undefined
  const [request, state] = await Promise.all([records.readRequest(show.showId), records.readState(show.showId)])
  if (!request || state?.liveAt === undefined) return undefined
  const began = Date.parse(state.liveAt)
  const planned = markersOf(request.show, show.name).map(({ at }) => new Date(began + at * 1000).toISOString())
  const times = [...planned, ...(state.markers ?? []).map(({ at }) => at)].map((time) => recordedAt(time, recording))
  const within = times.filter((seconds) => seconds >= 0 && seconds < duration)
  return within.length > 0 ? Math.max(...within) : undefined
}
