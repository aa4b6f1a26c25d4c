import { partRunsOf } from './part-runs.ts'
import { pausesOf } from './pauses-of.ts'
import { latestAfter, type WatchEvidence, watchFaultsIn } from './watch-faults.ts'

/** Milliseconds before a pause in which the start of a part may not be noted yet, also by clocks that differ. */
const NOTED = 8_000
/** Seconds for which a fault may hide a start. */
const EXCUSED = 300

/** Checks that the event of a pause names the last part of the recording: a player continues from its end. */
export function notedPauses({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const faults = watchFaultsIn({ trace, failedCalls })
  return shows.flatMap(({ showId, request, state }) => {
    const runs = partRunsOf(showId, 'archive', statusChanges)
    return (request?.show.recordings ?? []).flatMap((order) => {
      const pauses = pausesOf(order, state)
      const entries = (state?.timeline ?? []).filter(
        ({ what, name }) => what === 'recording.paused' && name === order.name,
      )
      return entries.flatMap(({ at, part = 1 }) => {
        const time = Date.parse(at)
        const from = pauses.findLast((one) => one.from <= time)?.from ?? time
        if (latestAfter(faults, { from, due: from, seconds: EXCUSED }) > from) return []
        const later = runs.find((run) => run.name === order.name && run.part > part && run.from < from - NOTED)
        return later ? [`the pause of ${order.name} at ${at} names part ${part}, and part ${later.part} ran`] : []
      })
    })
  })
}
