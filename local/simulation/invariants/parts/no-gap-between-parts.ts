import { archiveReasons } from '../../../../lib/platform/contract/archives.ts'
import type { RecordingResult } from '../../../../lib/show/state/result.ts'
import type { ShowEvidence } from '../evidence.ts'
import { type Paused, pausesOf } from './pauses-of.ts'
import { hindrancesIn, movesIn, type WatchEvidence } from './watch-faults.ts'

/** Seconds before the end of a part in which a fault may delay the next one. */
const EXCUSED = 1_200
/** Seconds that a stop or a start at its time may take. */
const LATE = 10

/**
 * Checks that the next part of a recording begins before the platform ends the previous one, so that nothing is lost, or
 * when a pause is over, and that nothing is recorded in a pause. A part that follows a failure, or a fault around the end,
 * begins as soon as possible.
 */
export function noGapBetweenParts({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const within = (times: readonly number[]) => (from: number, to: number) =>
    times.some((at) => at >= from - EXCUSED * 1000 && at <= to)
  const hasFault = within(trace.filter(({ fault }) => fault !== undefined).map(({ at }) => at))
  const isExcused = within([...movesIn(trace), ...hindrancesIn({ trace, failedCalls })])
  const starts = statusChanges.filter(({ status }) => status === 'started')
  const begun = new Map(starts.toReversed().map(({ id, at }) => [id, at])) // one that no participant fed starts again
  const ended = new Map(statusChanges.filter(({ status }) => status === 'stopped').map(({ id, at }) => [id, at]))

  const gaps = (show: ShowEvidence) =>
    handovers(show).flatMap(([one, next]) => {
      const end = ended.get(one.archiveId ?? '')
      const start = begun.get(next.archiveId ?? '')
      if (end === undefined || start === undefined || start < end) return []
      const pause = pausesIn(show, one.name).findLast(({ from, to }) => from <= end && to > end)
      const due = pause ? pause.to : end
      if (isExcused(due, start) || (pause && start <= due + LATE * 1000)) return []
      return [
        `part ${next.part} of ${next.name} began ${(start - due) / 1000} s after ${pause ? 'its pause' : `part ${one.part} had ended`}`,
      ]
    })
  const paused = (show: ShowEvidence) =>
    (show.result?.recordings ?? []).flatMap(({ name, part, archiveId = '' }) => {
      const [start, end] = [begun.get(archiveId), ended.get(archiveId)]
      if (start === undefined || end === undefined) return []
      const recorded = pausesIn(show, name).filter(({ from, to }) => {
        const [first, last] = [Math.max(start, from), Math.min(end, to)]
        const isLate = start >= from || last > from + LATE * 1000
        return last > first && isLate && !hasFault(first, last)
      })
      return recorded.map(
        ({ from }) => `part ${part} of ${name} was recorded in its pause from ${new Date(from).toISOString()}`,
      )
    })
  return shows.flatMap((show) => [...gaps(show), ...paused(show)])
}

/** Returns the pauses of a recording of a show that was live. */
function pausesIn({ request, state }: ShowEvidence, recording: string): Paused[] {
  const order = request?.show.recordings.find(({ name }) => name === recording)
  return order && state ? pausesOf(order, state) : []
}

/** Returns pairs of parts of which the first ended by its maximum duration, or was stopped. */
function handovers({ result }: ShowEvidence): [RecordingResult, RecordingResult][] {
  const recordings = result?.recordings ?? []
  return recordings
    .filter(({ reason, stoppedAt }) => reason === archiveReasons.maximumDuration || stoppedAt !== undefined)
    .flatMap((one) =>
      recordings
        .filter(({ name, part }) => name === one.name && part === one.part + 1)
        .map((next): [RecordingResult, RecordingResult] => [one, next]),
    )
}
