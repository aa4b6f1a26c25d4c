import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import type { RecordingResult } from '../../../lib/show/state/result.ts'
import type { TraceEntry } from '../trace.ts'
import type { Evidence, ShowEvidence } from './evidence.ts'

/** Seconds before the end of a part in which a fault may delay the next one. */
const EXCUSED = 1_200
/** Faults, and what people do: they may extend a show at its last moment, or leave it. */
const isExcuse = ({ fault, call }: TraceEntry) =>
  fault !== undefined ||
  (call !== undefined &&
    ((call.caller === 'app' && call.name.startsWith('api ')) || /^platform (join|leave)Session$/.test(call.name)))

/**
 * Checks that the next part of a recording begins before the platform ends the previous one, so that nothing is lost. A
 * part that follows a failure, or a fault around the end, begins as soon as possible.
 */
export function noGapBetweenParts({ shows, statusChanges, trace }: Evidence): string[] {
  const excuses = trace.filter(isExcuse).map(({ at }) => at)
  const begun = new Map(statusChanges.filter(({ status }) => status === 'started').map(({ id, at }) => [id, at]))
  const ended = new Map(statusChanges.filter(({ status }) => status === 'stopped').map(({ id, at }) => [id, at]))
  const isExcused = (from: number, to: number) => excuses.some((at) => at >= from - EXCUSED * 1000 && at <= to)

  return shows.flatMap(handovers).flatMap(([one, next]) => {
    const end = ended.get(one.archiveId ?? '')
    const start = begun.get(next.archiveId ?? '')
    if (end === undefined || start === undefined || start < end || isExcused(end, start)) return []
    return [`part ${next.part} of ${next.name} began ${(start - end) / 1000} s after part ${one.part} had ended`]
  })
}

/** Returns pairs of parts of which the first ended by its maximum duration. */
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
