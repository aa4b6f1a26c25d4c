import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import type { RecordingResult } from '../../../lib/show/state/result.ts'
import { BEGINNING } from '../world.ts'
import type { Evidence, ShowEvidence } from './evidence.ts'

/** Seconds before the end of a part in which something that goes wrong lets the next one begin late. */
const EXCUSED = 1_200
/** What goes wrong, and what people do: they may extend a show at its last moment, or leave it. */
const EXCUSES = / fault: | app -> api | (joinSession|leaveSession) /

/**
 * What the design promises of parts: the next one of a recording begins before the platform ends the one before it, so that
 * nothing is lost. Where a part broke, or something went wrong around its end, it begins as soon as it can.
 */
export function noGapBetweenParts({ shows, seen, trace }: Evidence): string[] {
  const excuses = trace.filter((line) => EXCUSES.test(line)).map((line) => BEGINNING + Number.parseFloat(line) * 1000)
  const begun = new Map(seen.filter(({ status }) => status === 'started').map(({ id, at }) => [id, at]))
  const ended = new Map(seen.filter(({ status }) => status === 'stopped').map(({ id, at }) => [id, at]))
  const isExcused = (from: number, to: number) => excuses.some((at) => at >= from - EXCUSED * 1000 && at <= to)

  return shows.flatMap(handovers).flatMap(([one, next]) => {
    const end = ended.get(one.archiveId ?? '')
    const start = begun.get(next.archiveId ?? '')
    if (end === undefined || start === undefined || start < end || isExcused(end, start)) return []
    return [`part ${next.part} of ${next.name} began ${(start - end) / 1000} s after part ${one.part} had ended`]
  })
}

/** Parts that have ended because they were long enough, with those that follow. */
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
