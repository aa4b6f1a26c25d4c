import { limits } from '../../../platform/contract/limits.ts'
import type { Services } from '../../../services.ts'
import { closingName } from '../../../tasks/show-machines.ts'
import type { TaskOutput } from '../../../tasks/tasks.ts'
import { eventsBetween } from '../../plan/events-between.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowResult } from '../../state/result.ts'
import type { ShowState } from '../../state/state.ts'
import { allSettledLimited } from '../concurrency.ts'
import { report } from '../finish/report.ts'
import { mergeObservation } from '../merge-observation.ts'
import { tryToObserve } from '../observation.ts'
import { isAnythingRunning, stopResources } from '../stop/stop-resources.ts'
import { checkScheduled, type OnReport } from './check-scheduled.ts'
import { unschedule } from './unschedule.ts'

/** Milliseconds after acceptance from which the sweep starts a show that has no execution. */
const UNBEGUN = 120_000
/** Milliseconds between an execution that left a show unreported and the next one that closes it. */
const PAUSES = [0, 300_000, 900_000, 1_800_000, 3_600_000] as const
/** Executions that try to close a show before the sweep writes its result itself. */
const MAX_CLOSINGS = PAUSES.length
/** Milliseconds that a task may outlive its execution: the longest timeout of 900 s, and a margin. */
const AFTERMATH = 930_000
/** Milliseconds after which the platform has ended every resource itself. */
const PLATFORM_END = limits.archiveAge.value * 1000 + AFTERMATH

/** Milliseconds after the planned end and the wait for uploads from which a running show is overdue. */
const GRACE = 1_800_000

/** The action of the sweep for one show. An `overdue` show was left alone too. */
export type SweepResult = 'left' | 'overdue' | 'started' | 'settled'

export type Sweeping = Pick<
  Services,
  'records' | 'shows' | 'showExecutions' | 'schedules' | 'showSecrets' | 'platform' | 'storage' | 'clock'
>

/** Starts, closes or settles one unfinished show, or leaves it to its running execution. */
async function sweep(services: Sweeping, showId: string, onReport: OnReport): Promise<SweepResult> {
  const { records } = services
  const request = await records.readRequest(showId)
  if (!request) return 'left' // the request is being written, or its POST was interrupted and never answered
  const state = await stateOf(services, request)
  if (state.status === 'scheduled') return checkScheduled(services, showId, onReport)
  const execution = await statusOf(services, state)
  if (execution.status === 'running') return isOverdue(request, state, services.clock.now()) ? 'overdue' : 'left'
  const result = await records.readResult(showId)
  if (result) return settle(services, { request, state, result, execution }, onReport)
  if (execution.status === 'over') return close(services, state, { overAt: execution.overAt, onReport })
  return state.endedAt ? completeEnd(services, state, onReport) : begin(services, state)
}

function isOverdue({ show }: ShowRequest, { plannedEndAt, endedAt }: ShowState, now: number): boolean {
  const end = endedAt ?? plannedEndAt
  return end !== undefined && now > Date.parse(end) + show.uploadWait * 1000 + GRACE
}

/** Writes the state if the call that recorded the request was interrupted before it did. */
async function stateOf({ records, shows }: Sweeping, request: ShowRequest): Promise<ShowState> {
  const state = await records.readState(request.showId)
  if (state) return state
  await records.acceptShow(request, request.show.start ? 'scheduled' : 'starting')
  return shows.state(request.showId)
}

/** The last execution of a show. */
interface LastExecution {
  readonly status: 'running' | 'unbegun' | 'over'
  /** End in milliseconds since the epoch, if it is known. */
  readonly overAt?: number | undefined
  /** True if its last task, which reports the show, has succeeded. */
  readonly hasReported?: boolean
}

/** The error of an execution that has reported its show as failed. */
const REPORTED_AS_FAILED = 'ShowFailed'

/** Returns the last of a show's executions: its own, or one that closes it. */
async function statusOf(
  { showExecutions }: Sweeping,
  { showId, executionName, startedAt, closings }: ShowState,
): Promise<LastExecution> {
  const own = await showExecutions.describe(executionName ?? showId)
  if (own.status === 'running') return { status: 'running' }
  const closing = closings > 0 ? await showExecutions.describe(closingName(showId, closings)) : undefined
  if (closing?.status === 'running') return { status: 'running' }
  const last = closing?.status === 'over' ? closing : own
  if (last.status === 'over') {
    const { stoppedAt, hasSucceeded, error } = last
    return { status: 'over', overAt: stoppedAt, hasReported: hasSucceeded || error === REPORTED_AS_FAILED }
  }
  return startedAt || closings > 0 ? { status: 'over' } : { status: 'unbegun' }
}

async function begin({ showExecutions, clock }: Sweeping, { showId, acceptedAt }: ShowState): Promise<SweepResult> {
  if (clock.now() < Date.parse(acceptedAt) + UNBEGUN) return 'left'
  await showExecutions.start(showId, { showId })
  return 'started'
}

/** Completes the end of a show that never started: the call that ended it was interrupted before the result. */
async function completeEnd(
  services: Sweeping,
  { showId, status, endReason = 'It ended.' }: ShowState,
  onReport: OnReport,
): Promise<SweepResult> {
  if (status === 'stopped') await unschedule(services, showId, endReason)
  else onReport(await report(services, { showId, sessionId: null, reason: endReason, failure: null }))
  return 'left'
}

/** Starts the next closing execution. It is counted first, so that an interrupted start is found again. */
async function close(
  services: Sweeping,
  state: ShowState,
  { overAt, onReport }: { readonly overAt: number | undefined; readonly onReport: OnReport },
): Promise<SweepResult> {
  const { shows, showExecutions, clock } = services
  const { showId, closings } = state
  const isCounted = closings > 0 && (await showExecutions.describe(closingName(showId, closings))).status === 'missing'
  const closing = isCounted ? closings : closings + 1
  if (closing > MAX_CLOSINGS) {
    const reason = `Its execution was interrupted, and ${MAX_CLOSINGS} others could not close it.`
    const endedAt = new Date(clock.now()).toISOString()
    await shows.update(showId, (latest) => ({ ...latest, endedAt: latest.endedAt ?? endedAt }))
    onReport(await report(services, { showId, sessionId: state.sessionId ?? null, reason, failure: null }))
    return 'left' // until no resource of it runs any more
  }
  if (overAt !== undefined && clock.now() < overAt + (PAUSES[closing - 1] ?? 0)) return 'left'
  await shows.update(showId, (latest) => ({ ...latest, closings: Math.max(latest.closings, closing) }), {
    what: 'show.closing',
    id: String(closing),
  })
  await showExecutions.start(closingName(showId, closing), { showId, closing: true })
  return 'started'
}

interface Reported {
  readonly request: ShowRequest
  readonly state: ShowState
  readonly result: ShowResult
  readonly execution: LastExecution
}

/** Stops resources that a reported show left running, and settles it once none runs and no task can start one. */
async function settle(
  services: Sweeping,
  { request, state, result, execution }: Reported,
  onReport: OnReport,
): Promise<SweepResult> {
  const { shows, records, platform, clock } = services
  const { showId, sessionId } = state
  if (state.status !== result.status || !state.timeline.some(({ what }) => what === 'show.ended'))
    await report(services, { showId, sessionId: sessionId ?? null, reason: null, failure: null }) // it was interrupted before it notified
  let isQuiet = sessionId === undefined
  if (sessionId) {
    const { seen } = await tryToObserve(await platform(), { show: request.show, state, sessionId, extent: 'all' })
    isQuiet = seen !== undefined && !isAnythingRunning(state, seen)
    if (!isQuiet) await stopResources(services, { state, sessionId, seen })
    if (seen)
      await shows.update(
        showId,
        (latest) => mergeObservation(latest, seen),
        ...eventsBetween(state, mergeObservation(state, seen), clock.now()),
      )
  }
  const reportedAt = Date.parse(result.reportedAt)
  const since = clock.now() - (execution.overAt ?? reportedAt)
  if (since < AFTERMATH || (!isQuiet && since < PLATFORM_END)) return 'left'
  if (!execution.hasReported && execution.overAt !== undefined && reportedAt <= execution.overAt) onReport(result)
  await records.settle(showId)
  return 'settled'
}

interface Swept extends Omit<TaskOutput<'sweepShows'>, 'purged' | 'unpurged' | 'reported'> {
  readonly reported: ShowResult[]
}

/**
 * Sweeps every unfinished show. A failure does not hold up the others, and the next sweep retries it.
 * @param onFailure is called with the id of each show whose sweep failed, and the error
 */
export async function sweepUnfinished(
  services: Sweeping,
  onFailure: (showId: string, error: unknown) => void,
): Promise<Swept> {
  const showIds = await Array.fromAsync(services.records.eachUnfinished())
  const reported: ShowResult[] = []
  const onReport: OnReport = (result) => void reported.push(result)
  const outcomes = await allSettledLimited(showIds.map((showId) => () => sweep(services, showId, onReport)))
  const swept = outcomes.map((outcome, index) => ({ showId: showIds[index] ?? '', outcome }))
  const failed = swept.flatMap(({ showId, outcome }) => {
    if (outcome.status === 'fulfilled') return []
    onFailure(showId, outcome.reason)
    return showId
  })
  const which = (result: SweepResult) =>
    swept.flatMap(({ showId, outcome }) => (outcome.status === 'fulfilled' && outcome.value === result ? showId : []))
  return {
    checked: showIds.length,
    started: which('started'),
    settled: which('settled'),
    overdue: which('overdue'),
    failed,
    reported,
  }
}
