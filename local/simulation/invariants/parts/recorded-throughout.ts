import { archiveReasons } from '../../../../lib/platform/contract/archives.ts'
import type { ShowEvidence } from '../evidence.ts'
import { isAttended, presencesIn } from '../presences.ts'
import { gapsIn, type PartRun, partRunsOf, pauseAfter, ranOn } from './part-runs.ts'
import { type Paused, pausesOf } from './pauses-of.ts'
import { latestAfter, type WatchEvidence, watchFaultsIn } from './watch-faults.ts'

/** Seconds for which nothing may be recorded: a failure is noticed within a minute, and its next part starts within another. */
const WITHIN = 120
/** Seconds for which a fault may delay the next part: until a sweep has repeated an interrupted watching. */
const EXCUSED = 1_200
/** Seconds before the end of a show in which a participant may come back too late. */
const MARGIN = 30

/**
 * Checks that a recording in parts covers its show from its first part to the end, without its pauses. A gap needs a failure or
 * a fault, and is as short as documented after the last of them. A show without a connected participant is not recorded.
 */
export function recordedThroughout({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const faults = watchFaultsIn({ trace, failedCalls })
  return shows.flatMap((show) => {
    const { showId, request, state } = show
    const endedAt = Date.parse(state?.endedAt ?? '')
    if (!request || !state || Number.isNaN(endedAt)) return []
    const archives = partRunsOf(showId, 'archive', statusChanges)
    const presences = () => presencesIn(trace, state.sessionId ?? '')
    const all = [...archives, ...partRunsOf(showId, 'broadcast', statusChanges)]
    return request.show.recordings
      .filter(({ parts }) => parts !== false)
      .flatMap((order) => {
        const runs = archives.filter(({ name }) => name === order.name)
        const pauses = pausesOf(order, state)
        return gapsIn(runs, endedAt).flatMap(({ last, to }) => {
          const from = Math.max(last.to, pauses.findLast((pause) => isWithin(pause, last.to))?.to ?? 0)
          const due = from + (WITHIN + (last.hasFailed ? pauseAfter(last, runs, last.to) : 0)) * 1000
          const limit = latestAfter(faults, { from, due, seconds: EXCUSED })
          if (
            to <= limit ||
            endedAt <= limit + MARGIN * 1000 ||
            pauses.some((pause) => pause.from < limit && pause.to > from)
          )
            return []
          const soon = { from, to: from + WITHIN * 1000 }
          const isEmpty = !ranOn(all, soon) && !isAttended(presences(), soon)
          if (isOver(last, show, archives) || isEmpty) return []
          return [
            `nothing of ${order.name} was recorded for ${(to - from) / 1000} s after part ${last.part}, at ${new Date(from).toISOString()}`,
          ]
        })
      })
  })
}

const isWithin = ({ from, to }: Paused, time: number) => from <= time + 10_000 && to > time

/** Returns true for a part after which its recording is over: all participants had left, or another caller stopped it. */
function isOver({ id, hasFailed, to }: PartRun, { result, state }: ShowEvidence, runs: readonly PartRun[]): boolean {
  const { reason, stoppedAt } = result?.recordings.find(({ archiveId }) => archiveId === id) ?? {}
  const emptied = (state?.recordings ?? []).filter((one) => one.reason === archiveReasons.sessionEnded)
  if (runs.some((run) => run.to <= to + WITHIN * 1000 && emptied.some(({ archiveId }) => archiveId === run.id)))
    return true
  return !hasFailed && reason !== archiveReasons.maximumDuration && stoppedAt === undefined
}
