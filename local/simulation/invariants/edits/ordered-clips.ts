import { keys } from '../../../../lib/show/state/keys.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { ClipByClock, ClipOfRecording } from '../../generator/edits/edits.ts'
import type { Evidence } from '../evidence.ts'
import { manifestIn, type SeenManifest } from '../publishing/archive-files.ts'
import { editsIn, type SeenEdit } from '../requests/edits-of.ts'

/** Seconds: the bounds of a clip, and the time after its recording at which a clip may end. */
const MIN_CLIP = 0.5
const MAX_CLIP = 3_600
/** Difference of seconds that rounding explains. */
const ROUNDING = 0.001

/**
 * Checks the times of the clips of published recordings by docs/showrunner-api.json: those that were ordered are answered, and
 * refused only where the recording does not have them. A joined recording may last longer later, so it is excepted but for times
 * on the clock.
 */
export function orderedClips(evidence: Pick<Evidence, 'apiRequests' | 'objects'>): string[] {
  return editsIn(evidence).flatMap((edit) => {
    const { archiveId, action, of } = edit
    const manifest = manifestIn(evidence.objects, archiveId)
    if (manifest && action === 'POST clips' && isByClock(edit)) return problemsOfClock(edit, manifest)
    const duration = manifest?.parts ? undefined : manifest?.duration
    if (action !== 'POST clips' || of !== '' || typeof duration !== 'number') return []
    const marker = manifest && lastMarkerOf({ ...manifest, duration }, evidence)
    return problemsOf(edit, { duration, marker }).map((problem) => `a clip of the recording ${archiveId} ${problem}`)
  })
}

const TIME = /^\d{4}-\d{2}-\d{2}T/
const isByClock = ({ body }: Pick<SeenEdit, 'body'>) => TIME.test((JSON.parse(body || '{}') as ClipByClock).from)

/** Nothing is recorded in a pause: each time in it is that at which the recording continues. */
function problemsOfClock({ status, body, answer, archiveId }: SeenEdit, manifest: SeenManifest): string[] {
  if (status !== 202) return []
  const { createdAt, pauses = [], duration } = manifest
  const secondsAt = (time: string) =>
    pauses.reduce(
      (seconds, { at, duration: paused }) => seconds - Math.min(Math.max(0, seconds - at), paused),
      (Date.parse(time) - Date.parse(createdAt)) / 1000,
    )
  const [ordered, answered] = [JSON.parse(body), JSON.parse(answer)] as [ClipByClock, { from: number; to: number }]
  const from = secondsAt(ordered.from)
  const to = Math.min(secondsAt(ordered.to), duration ?? 0)
  const isRight = Math.abs(answered.from - from) <= ROUNDING && Math.abs(answered.to - to) <= ROUNDING
  return isRight
    ? []
    : [
        `a clip of the recording ${archiveId} has the times ${answered.from} to ${answered.to}, and not ${from} to ${to}`,
      ]
}

/** A recording whose clips are ordered, in seconds. */
interface Clipped {
  readonly duration: number
  /** The latest marker; undefined if it has none. */
  readonly marker: number | undefined
}

/** Returns the latest requested marker of the show that a recording has. Planned ones are in shows without situations only. */
function lastMarkerOf(
  { createdAt, duration, show }: SeenManifest & { readonly duration: number },
  { objects }: Pick<Evidence, 'objects'>,
): number | undefined {
  const text = objects.get(keys.state(show?.showId ?? ''))?.text
  const { markers = [] } = text === undefined ? {} : (JSON.parse(text) as Partial<ShowState>)
  const all = markers.map(({ at }) => (Date.parse(at) - Date.parse(createdAt)) / 1000)
  return all.filter((seconds) => seconds >= 0 && seconds < duration).toSorted((one, other) => other - one)[0]
}

function problemsOf({ status, body, answer }: SeenEdit, recording: Clipped): string[] {
  const expected = spanOf(JSON.parse(body) as ClipOfRecording, recording)
  if (status === 400) return expected ? [`is refused, although the recording has it: ${body}`] : []
  if (status !== 202) return []
  if (!expected) return [`is accepted, although the recording has it not: ${body}`]
  const { from, to } = JSON.parse(answer) as { readonly from: number; readonly to: number }
  const isRight = Math.abs(from - expected.from) <= ROUNDING && Math.abs(to - expected.to) <= ROUNDING
  return isRight ? [] : [`has the times ${from} to ${to}, and not ${expected.from} to ${expected.to}`]
}

/** Returns the times that an order means; undefined where a recording does not have them. */
function spanOf(order: ClipOfRecording, { duration, marker }: Clipped): { from: number; to: number } | undefined {
  const ordered = 'last' in order ? Math.max(0, duration - order.last) : order.from
  const from = ordered === 'last marker' ? marker : ordered
  if (from === undefined) return undefined
  const end = 'last' in order ? duration : (order.to ?? duration)
  const to = Math.min(end, duration)
  const fits = from < duration && end <= duration + MIN_CLIP && to - from >= MIN_CLIP && to - from <= MAX_CLIP
  return fits ? { from, to } : undefined
}
