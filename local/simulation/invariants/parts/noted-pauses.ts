import { partRunsOf } from './part-runs.ts'
import { pausesOf } from './pauses-of.ts'
import { latestAfter, type WatchEvidence, watchFaultsIn } from './watch-faults.ts'

/** Milliseconds before a pause in which the start of a part may not be noted yet, also by clocks that differ. */
const NOTED = 8_000
/** Seconds for which a fault may hide a start. */
const EXCUSED = 300

/** Milliseconds by which the clock of the platform may differ. */
const SKEW = 2_000

/**
 * Checks that the event of a pause names the last part of the recording: a player continues from its end. A pause on request that is
 * answered as done has an event by then.
 */
export function notedPauses({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const faults = watchFaultsIn({ trace, failedCalls })
  return shows.flatMap(({ showId, request, state }) => {
    const runs = partRunsOf(showId, 'archive', statusChanges)
    return (request?.show.recordings ?? []).flatMap((order) => {
      const pauses = pausesOf(order, state)
      const entries = (state?.timeline ?? []).filter(
        ({ what, name }) => what === 'recording.paused' && name === order.name,
      )
      const isNoted = (from: number, to: number) =>
        entries.some(({ at }) => Date.parse(at) >= from - SKEW && Date.parse(at) <= to + SKEW)
      const unnoted = (state?.timeline ?? []).flatMap(({ what, name, detail = '', at }) => {
        if (what !== 'control.pause' || name !== order.name || !detail.endsWith('is paused.')) return []
        const done = Date.parse(at)
        const from = pauses.findLast((one) => one.from <= done)?.from ?? done
        const ran = runs.some((run) => run.name === order.name && run.from < from - NOTED && run.to >= from)
        return ran && !isNoted(from, done) ? [`the pause of ${order.name} at ${at} has no event`] : []
      })
      const wrong = entries.flatMap(({ at, part = 1 }) => {
        const time = Date.parse(at)
        const from = pauses.findLast((one) => one.from <= time)?.from ?? time
        if (latestAfter(faults, { from, due: from, seconds: EXCUSED }) > from) return []
        const later = runs.find((run) => run.name === order.name && run.part > part && run.from < from - NOTED)
        return later ? [`the pause of ${order.name} at ${at} names part ${part}, and part ${later.part} ran`] : []
      })
      return [...unnoted, ...wrong]
    })
  })
}
