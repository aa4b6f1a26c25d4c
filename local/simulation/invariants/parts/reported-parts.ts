import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'
import { endedStatuses, partRunsOf } from './part-runs.ts'
import { interruptions } from './watch-faults.ts'

/** Statuses of archives whose file may still arrive. */
const UNDER_WAY: ReadonlySet<string> = new Set(['started', 'paused', 'stopped'])
/** Attempts to fetch an archive from the platform after the end of a show: at once, and after 1, 5 and 15 minutes. */
const ATTEMPTS = 4
/** Seconds before a report in which a fault may have hidden what runs. */
const HIDDEN = 900
/** Matches faults of outputs. */
const OUTPUTS = /output|rtmp/
/** Seconds of a broadcast after which its outputs were observed. */
const OBSERVED = 300
/** Seconds of an overlap that a result has to name. */
const LEAST_OVERLAP = 2

/**
 * Checks what results say of recordings and broadcasts: each upload was awaited or fetched, overlaps are named, and each
 * broadcast has the status that the platform gave it.
 */
export function reportedParts({
  shows,
  failedCalls,
  statusChanges,
  trace,
}: Pick<Evidence, 'shows' | 'failedCalls' | 'statusChanges' | 'trace'>): string[] {
  const hidden = [
    ...trace.filter(({ fault }) => interruptions.has(fault ?? '')),
    ...faultsOf(failedCalls, /^(StopShow|CheckUploads|ReportShow|SweepShows)$/),
  ].map(({ at }) => at)
  const hasFailedPolls = faultsOf(failedCalls, /^CheckUploads$/).length > 0
  return shows.flatMap((show) =>
    [
      ...(hasFailedPolls ? [] : uploadProblems(show)),
      ...overlapProblems(show),
      ...unnamedBroadcasts(show),
      ...broadcastProblems(show, statusChanges, hidden),
      ...outputProblems(show, statusChanges, { hidden, trace }),
    ].map((problem) => `the show ${show.showId.slice(0, 12)} ${problem}`),
  )
}

/**
 * Finds a result that was written while an upload was under way and could be awaited longer, or before what is there was fetched.
 */
function uploadProblems({ request, state, result }: ShowEvidence): string[] {
  if (!request || !state?.endedAt || !result) return []
  const unfetched = result.recordings.filter(
    ({ status, lost, rescueTries = 0 }) => status === 'available' && lost !== undefined && rescueTries === 0,
  )
  const givenUp = result.recordings.filter(
    ({ status, lost, rescueTries = 0 }) =>
      status === 'available' && lost !== undefined && rescueTries > 0 && rescueTries < ATTEMPTS,
  )
  if (givenUp.length > 0 && state.closings === 0)
    return [`was reported after ${givenUp[0]?.rescueTries} attempts to fetch ${givenUp[0]?.name} from the platform`]
  if (unfetched.length > 0) return [`was reported although ${unfetched[0]?.name} was never fetched from the platform`]
  const waited = (Date.parse(result.reportedAt) - Date.parse(state.endedAt)) / 1000
  if (waited >= request.show.uploadWait) return []
  return result.recordings
    .filter(({ archiveId, status = '' }) => archiveId !== undefined && UNDER_WAY.has(status))
    .map(({ name, status }) => `was reported after ${waited} s, although ${name} was ${status}`)
}

/** Finds overlaps of parts that the result does not name. */
function overlapProblems({ result }: ShowEvidence): string[] {
  return (result?.recordings ?? []).flatMap(({ name, part, createdAt = '', overlap = 0 }, _, all) => {
    const before = all.find((one) => one.name === name && one.part === part - 1)
    const seconds = (Date.parse(before?.stoppedAt ?? '') - Date.parse(createdAt)) / 1000
    return seconds >= LEAST_OVERLAP && Math.abs(overlap - seconds) > LEAST_OVERLAP
      ? [`names an overlap of ${overlap} s for part ${part} of ${name}, which is ${seconds} s`]
      : []
  })
}

/** Finds broadcasts that a show ordered, and that the result of a show that was live does not name. */
function unnamedBroadcasts({ request, state, result }: ShowEvidence): string[] {
  if (!request || !result || state?.liveAt === undefined) return []
  const names = new Set(result.broadcasts.map(({ name }) => name))
  return (request.show.broadcasts ?? [])
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => `has no outcome of the broadcast ${name}`)
}

/**
 * Finds a broadcast that runs by its result, and had ended before. @param hidden times at which the platform did not say what
 * runs
 */
function broadcastProblems(
  { result }: ShowEvidence,
  statusChanges: Evidence['statusChanges'],
  hidden: readonly number[],
): string[] {
  const reportedAt = Date.parse(result?.reportedAt ?? '')
  if (hidden.some((at) => at >= reportedAt - HIDDEN * 1000 && at <= reportedAt)) return []
  return (result?.broadcasts ?? []).flatMap(({ name, part, status, broadcastId }) => {
    const end = statusChanges.find(({ id, status }) => id === broadcastId && endedStatuses.has(status))
    const runs = status === 'started' || status === 'live'
    return runs && end && end.at < reportedAt ? [`calls part ${part} of ${name} ${status}, which has ended`] : []
  })
}

/** Finds outputs of a broadcast that ran for long, of which the result states nothing. */
function outputProblems(
  { showId, request, result }: ShowEvidence,
  statusChanges: Evidence['statusChanges'],
  { hidden, trace }: { readonly hidden: readonly number[]; readonly trace: Evidence['trace'] },
): string[] {
  if (hidden.length > 0 || trace.some(({ fault = '' }) => OUTPUTS.test(fault))) return []
  const runs = partRunsOf(showId, 'broadcast', statusChanges)
  return (result?.broadcasts ?? []).flatMap(({ name, part, broadcastId, rtmp = [] }) => {
    const ordered = request?.show.broadcasts.find((one) => one.name === name)?.rtmp ?? []
    const run = runs.find(({ id }) => id === broadcastId)
    const isLong = run !== undefined && run.to - run.from > OBSERVED * 1000
    const isKnown = (id: string) => rtmp.some((one) => one.id === id)
    return isLong
      ? ordered
          .filter(({ id }) => !isKnown(id))
          .map(({ id }) => `states nothing of the output ${id} of part ${part} of ${name}`)
      : []
  })
}
