import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import { MIN_PAUSE } from '../../../lib/show/document/fields/pauses.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { PlannedControl } from './controls/controls.ts'
import type { Draws } from './draws.ts'

type Recording = ShowDocument['recordings'][number]

/** Returns true for a recording that the API pauses: it continues in parts, with all streams. */
export const mayPause = ({ parts, streamMode }: Recording) => parts !== false && streamMode !== 'manual'

/** Adds pauses to some of the recordings that can have them, of which some pause at the same time. */
export function withPauses(draws: Draws, show: ShowDocument): ShowDocument {
  const common = randomPauses(draws, maxSecondsOf(show))
  const paused = (recording: Recording): Recording => {
    if (!mayPause(recording) || draws.chance(0.4)) return recording
    return { ...recording, pauses: draws.chance(0.5) ? common : randomPauses(draws, maxSecondsOf(show)) }
  }
  return { ...show, recordings: show.recordings.map(paused) }
}

/** Draws up to three pauses, as likely short as long. */
function randomPauses({ between, logUniform }: Draws, duration: number): NonNullable<Recording['pauses']> {
  const pauses: { from: number; to: number }[] = []
  for (let left = between(1, 3); left > 0; left--) {
    const begin = (pauses.at(-1)?.to ?? 0) + MIN_PAUSE
    const last = duration - MIN_PAUSE
    if (last - begin < 3 * MIN_PAUSE) break
    const from = between(begin, begin + Math.floor((last - begin - 2 * MIN_PAUSE) / left))
    pauses.push({ from, to: from + logUniform(MIN_PAUSE, Math.max(MIN_PAUSE, (last - from) / left)) })
  }
  return pauses
}

/** Draws up to five requests for one recording, alternately to pause and to resume. A third of all shows have some. */
export function randomPauseRequests({ chance, between, oneOf, times }: Draws, show: ShowDocument): PlannedControl[] {
  const { recordings } = show
  if (recordings.length === 0 || chance(0.65)) return []
  const recording = chance(0.05) ? 'unknown' : oneOf(recordings).name
  const moments = times(between(1, 5), () => between(0, maxSecondsOf(show))).sort((one, other) => one - other)
  return moments.map((at, index) => {
    const posts = oneOf([1, 1, 2])
    return {
      ...{ at, after: 'live', key: `pause-${index}`, posts, together: posts > 1 && chance(0.5) },
      control: { what: (index % 2 === 0) !== chance(0.1) ? 'pause' : 'resume', recording },
    }
  })
}

/** Draws a pause on request, early enough to be accepted, and mostly its end. A third of all shows with such recordings have one. */
export function randomRequestedPause(
  { chance, between, oneOf, logUniform }: Draws,
  show: ShowDocument,
): PlannedControl[] {
  const recordings = show.recordings.filter(mayPause)
  if (recordings.length === 0 || chance(0.65)) return []
  const recording = oneOf(recordings).name
  const from = between(20, Math.max(20, Math.min(1_200, maxSecondsOf(show) - 120)))
  const to = from + logUniform(10, 1_200)
  const request = (what: 'pause' | 'resume', at: number): PlannedControl => ({
    ...{ at, after: 'live', key: `requested-${what}`, posts: 1, together: false },
    control: { what, recording },
  })
  return chance(0.85) ? [request('pause', from), request('resume', to)] : [request('pause', from)]
}
