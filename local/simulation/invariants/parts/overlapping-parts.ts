import { limits } from '../../../../lib/platform/contract/limits.ts'
import type { ShowEvidence } from '../evidence.ts'
import { type PartRun, partRunsOf, pauseAfter } from './part-runs.ts'
import { pausesOf } from './pauses-of.ts'
import { hindrancesIn, type WatchEvidence } from './watch-faults.ts'

/** Seconds for which two parts of a recording run at once, at least, so that their overlap is found: 12 by clocks that differ. */
const LEAST = 7
/** Seconds after which the predecessor is stopped: the overlap, and the longest poll. */
const MOST = 75
/** Seconds before the end of a part in which a fault may have delayed its stop. */
const EXCUSED = 300
/** Seconds from an observation to a stop: a failure in between is not seen. */
const NOTICED = 3
/** Seconds by which the clock of the platform, which dates the starts, may differ. */
const SKEW = 5

/**
 * Checks that a recording runs on while its next part begins, and is stopped once both have what is needed to join them, and
 * not for a next part that has failed. After a failure, the next part waits as documented.
 */
export function overlappingParts({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const hindrances = hindrancesIn({ trace, failedCalls })
  const isHindered = (from: number, to: number) => hindrances.some((at) => at >= from - EXCUSED * 1000 && at <= to)
  return shows.flatMap((show) => {
    const runs = partRunsOf(show.showId, 'archive', statusChanges)
    const strays = (show.result?.strays ?? []).map(({ archiveId }) => archiveId)
    return runs.flatMap((one) => {
      const next = runs.find(({ name, part }) => name === one.name && part === one.part + 1)
      if (!next || strays.includes(one.id)) return []
      const what = `part ${next.part} of ${one.name}`
      if (one.hasFailed && one.to <= next.from) {
        const seconds = pauseAfter(one, runs, next.from)
        const waited = (next.from - one.from) / 1000
        return waited < seconds - SKEW && !isPaused(show, { ...one, to: next.from }) // the end of a pause begins a part
          ? [`${what} began ${waited} s after the start of the failed part before, and not ${seconds} s`]
          : []
      }
      if (one.to <= next.from || one.hasFailed || !wasHandedOver(one, next, show)) return []
      if (next.hasFailed) {
        const later = runs.some(
          ({ name, part, from }) => name === one.name && part > next.part && from <= one.to - LEAST * 1000,
        )
        const isLate = hindrances.some((at) => at >= next.to && at <= one.to)
        return later || one.to < next.to + NOTICED * 1000 || isLate || wasFull(one)
          ? []
          : [`part ${one.part} of ${one.name} was stopped although the next part had failed`]
      }
      const overlap = (one.to - next.from) / 1000
      if (overlap < LEAST) return [`${what} had an overlap of ${overlap} s`]
      if (overlap <= MOST || isHindered(next.from, one.to)) return []
      return [`${what} had an overlap of ${overlap} s, before the part that it follows was stopped`]
    })
  })
}

/** Returns true if a part was stopped for its successor, or should have been: not by a pause, or with its show. */
function wasHandedOver(one: PartRun, next: PartRun, show: ShowEvidence): boolean {
  const endedAt = Date.parse(show.state?.endedAt ?? '')
  return one.to < endedAt && next.from + MOST * 1000 < endedAt && !isPaused(show, one)
}

/** Returns true for a part that the platform ended at its limit. */
const wasFull = ({ from, to }: PartRun) => to - from >= limits.archiveDuration.value * 1000

function isPaused({ request, state }: ShowEvidence, { name, from, to }: PartRun): boolean {
  const order = request?.show.recordings.find((one) => one.name === name)
  return (
    order !== undefined &&
    state !== undefined &&
    pausesOf(order, state).some((pause) => pause.from <= to && pause.to >= from)
  )
}
