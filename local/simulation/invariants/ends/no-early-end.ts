import { archiveReasons } from '../../../../lib/platform/contract/archives.ts'
import { isTagOf } from '../../../../lib/show/document/fields/names.ts'
import type { TimedStatusChange } from '../../environment/watch-resources.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { type PartRun, partRunsOf, pauseAfter } from '../parts/part-runs.ts'
import { pausesOf } from '../parts/pauses-of.ts'
import { presencesIn } from '../presences.ts'

const RUNNING: ReadonlySet<string> = new Set(['started', 'paused', 'live'])
/** Seconds before the end of a show in which a fault may have hidden what runs. */
const EXCUSED = 900
/** Seconds for which a show awaits participants, and before a pause in which a recording may end that continues after it. */
const AWAITED = 300
/** Seconds by which the time to wait for participants may end earlier: an end is noticed by a poll. */
const RETURN = 30
/** Calls that end an archive or a broadcast. */
const STOPS = /^platform stop(Archive|Broadcast)$/
/** Faults beside calls that may hide what runs. */
const HIDING: ReadonlySet<string> = new Set(['restart', 'suspension'])

/**
 * Checks that no show ends before its planned end while an archive or a broadcast of it runs, or while a recording of it awaits
 * the end of its pause. Excepted are shows that were asked to stop, failed or were interrupted, shows with an open end in which
 * no participant has published for a while, and times in which the platform did not say what runs.
 */
export function noEarlyEnd({
  shows,
  statusChanges,
  trace,
  failedCalls,
  publishers,
}: Pick<Evidence, 'shows' | 'statusChanges' | 'trace' | 'failedCalls' | 'publishers'>): string[] {
  const hidden = [
    ...trace.filter(({ fault }) => fault !== undefined && HIDING.has(fault)),
    ...failedCalls.filter(({ caller, operation }) => caller === 'WatchShow' && operation.startsWith('platform ')),
  ]
  const stopped = trace.flatMap(({ call }) => (call && STOPS.test(call.name) && call.path ? call.path : []))
  return shows.flatMap((show) => {
    const { showId, state } = show
    const endedAt = Date.parse(state?.endedAt ?? '')
    if (!state || mayEndEarly(state) || !(endedAt < Date.parse(state.plannedEndAt ?? ''))) return []
    if (hidden.some(({ at }) => at >= endedAt - EXCUSED * 1000 && at <= endedAt)) return []
    if (state.openEnd && isEmptyEnd(show, endedAt, { trace, publishers })) return []
    // What ends without a stop may end the show at the same time, which then stops the rest.
    const isBefore = ({ at, id }: TimedStatusChange) =>
      at < endedAt || (at === endedAt && !stopped.some((path) => path.includes(id)))
    const before = statusChanges.filter((one) => isTagOf(showId, one.tag) && isBefore(one))
    const last = new Map(before.map((one) => [one.id, one]))
    const running = [...last.values()].filter(({ status }) => RUNNING.has(status))
    const whiles = [
      ...running.map(({ kind, tag }) => `the ${kind} ${tag} ran`),
      ...awaitingPauses(show, endedAt).map((name) => `the recording ${name} awaited the end of a pause`),
      ...awaitingParticipants(show, endedAt, statusChanges).map((name) => `${name} awaited participants`),
    ]
    return whiles.map(
      (what) =>
        `the show ${showId.slice(0, 12)} ended at ${state.endedAt}, before ${state.plannedEndAt}, while ${what}`,
    )
  })
}

/**
 * Returns the recordings that continue after a pause, which has begun or begins soon after their last part has ended. A requested
 * pause may last until the planned end.
 */
function awaitingPauses({ request, state }: ShowEvidence, endedAt: number): string[] {
  const begun = new Set(state?.recordings.flatMap(({ name, archiveId }) => (archiveId ? name : [])))
  const plannedEnd = Date.parse(state?.plannedEndAt ?? '')
  return (request?.show.recordings ?? []).flatMap((order) => {
    const isAwaited = pausesOf(order, state).some(
      ({ from, to }) =>
        to > endedAt && (to < plannedEnd || to === Number.POSITIVE_INFINITY) && from <= endedAt + AWAITED * 1000,
    )
    return isAwaited && order.parts && begun.has(order.name) ? order.name : []
  })
}

/**
 * Returns the recordings and broadcasts in parts that have failed shortly before: they continue once participants connect again.
 * Those that have failed too often do not, those that would continue after the planned end do not, nor does a show that its
 * participants have left.
 */
function awaitingParticipants(
  { showId, request, state }: ShowEvidence,
  endedAt: number,
  statusChanges: Evidence['statusChanges'],
): string[] {
  if (!request || state?.recordings.some(({ reason }) => reason === archiveReasons.sessionEnded)) return []
  const plannedEnd = Date.parse(state?.plannedEndAt ?? '')
  const resumesAt = (last: PartRun, runs: readonly PartRun[]) => last.from + pauseAfter(last, runs, last.to) * 1000
  const isStopped = (name: string) => state?.broadcasts.some((one) => one.name === name && one.stopAskedAt)
  const awaiting = (
    kind: 'archive' | 'broadcast',
    orders: readonly { name: string; parts?: boolean | undefined }[],
  ) => {
    const runs = partRunsOf(showId, kind, statusChanges)
    return orders.flatMap(({ name, parts }) => {
      const last = runs.findLast((one) => one.name === name)
      const isRecent = last && last.to > endedAt - (AWAITED - RETURN) * 1000 && last.to < endedAt
      const continues = last?.hasFailed && resumesAt(last, runs) < plannedEnd && !isStopped(name)
      return parts && isRecent && continues ? name : []
    })
  }
  return [...awaiting('archive', request.show.recordings), ...awaiting('broadcast', request.show.broadcasts ?? [])]
}

/** Returns true for a show that was asked to stop, that failed, or that was closed. */
const mayEndEarly = ({ stopAskedAt, gaveUp, closings }: NonNullable<ShowEvidence['state']>) =>
  stopAskedAt !== undefined || gaveUp === true || closings > 0

/** Seconds for which a participant may publish between two polls. */
const UNSEEN = 60
/** Seconds for which no participant publishes before an open end. */
const EMPTY_WAIT = 300

/**
 * Returns true if a participant has published, and none did for the ordered time before the end of a show. Who was disconnected on
 * request does not publish any more.
 */
function isEmptyEnd(
  { request, state }: ShowEvidence,
  endedAt: number,
  { trace, publishers }: Pick<Evidence, 'trace' | 'publishers'>,
): boolean {
  if (trace.some(({ call, at }) => at < endedAt && DISCONNECTS.test(call?.name ?? ''))) return true
  const { emptyWait = EMPTY_WAIT } = request?.show ?? {}
  const from = endedAt - emptyWait * 1000
  const published = presencesIn(trace, state?.sessionId ?? '').filter(
    (one) => publishers.has(one.name) && one.from < endedAt,
  )
  const overlaps = published.map((one) => Math.min(one.to, endedAt) - Math.max(one.from, from))
  return published.length > 0 && overlaps.every((overlap) => overlap <= UNSEEN * 1000)
}

const DISCONNECTS = /^api POST .*\/disconnect$/
