import { maxSecondsOf } from '../../document/duration.ts'
import { recordedStretches } from '../../document/fields/pauses.ts'
import type { Show } from '../../document/show.ts'
import { sumOf } from './cost-items.ts'

/** Estimates the minutes of a show on the platform; at most, if its end is open. */
export function estimatedMinutesOf(show: Show): { readonly recordings: number; readonly broadcasts: number } {
  const seconds = maxSecondsOf(show)
  const recorded = show.recordings.flatMap((recording) => recordedStretches(recording, seconds))
  const broadcast = show.broadcasts.map(({ maxDuration, parts }) =>
    parts ? seconds : Math.min(seconds, maxDuration ?? seconds),
  )
  return { recordings: sumOf(recorded) / 60, broadcasts: sumOf(broadcast) / 60 }
}
