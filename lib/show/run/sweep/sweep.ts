import { limits } from '../../../platform/contract/limits.ts'
import type { Services } from '../../../services.ts'
import { eventsBetween } from '../../plan/events-between.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowResult } from '../../state/result.ts'
import type { ShowState } from '../../state/state.ts'
import { report } from '../finish/report.ts'
import { mergeObservation } from '../merge-observation.ts'
import { tryToObserve } from '../observation.ts'
import { isAnythingRunning, stopResources } from '../stop/stop-resources.ts'
import { checkScheduled } from './check-scheduled.ts'
import { unschedule } from './unschedule.ts'

/** Milliseconds after which a show that was accepted and whose execution is not there is started by the sweep. */
const UNBEGUN = 120_000
/** Milliseconds from the end of one execution that left a show unreported to the next that closes it; each longer. */
const PAUSES = [0, 300_000, 900_000, 1_800_000, 3_600_000] as const
/** How many executions try to close a show; then the sweep writes its result itself. */
const MAX_CLOSINGS = PAUSES.length
/** Milliseconds for which a task may outlive its execution: the longest function's 900 s, and the way there. */
const AFTERMATH = 930_000
/** Milliseconds after which the platform itself has ended everything, whether it can be asked or not. */
const PLATFORM_END = limits.archiveAge.value * 1000 + AFTERMATH

/** Milliseconds beyond its planned end, and what it may wait for uploads, after which a show should have been reported. */
const GRACE = 1_800_000

/** What was done for one show; an overdue one was left as well. */
export type SweepResult = 'left' | 'overdue' | 'started' | 'settled'

/** Looks after one show that is not settled: begins it, leaves it, closes it or settles it. */
export async function sweep(services: Services, showId: string): Promise<SweepResult> {
  const { records } = services
  const request = await records.readRequest(showId)
  if (!request) return 'left' // it is being accepted at this moment, or that broke off and nobody was promised anything
  const state = await stateOf(services, request)
  if (state.status === 'scheduled') return checkScheduled(services, request)
  const standing = await standingOf(services, state)
  if (standing.status === 'running') return isOverdue(request, state, services.clock.now()) ? 'overdue' : 'left'
  const result = await records.readResult(showId)
  if (result)
    return settle(services, { request, state, result, overAt: standing.overAt ?? Date.parse(result.reportedAt) })
  if (standing.status === 'over') return close(services, state, standing.overAt)
  return state.endedAt ? completeEnd(services, state) : begin(services, state)
}

function isOverdue({ show }: ShowRequest, { plannedEndAt, endedAt }: ShowState, now: number): boolean {
  const end = endedAt ?? plannedEndAt
  return end !== undefined && now > Date.parse(end) + show.uploadWait * 1000 + GRACE
}

/** Whoever recorded the request may have broken off before the state was there. */
async function stateOf({ records, shows }: Services, request: ShowRequest): Promise<ShowState> {
  const state = await records.readState(request.showId)
  if (state) return state
  await records.acceptShow(request, request.show.start ? 'scheduled' : 'starting')
  return shows.state(request.showId)
}

const closingName = (showId: string, closing: number) => `${showId}-close-${closing}`

/** How a show's executions are, its own and the last that was to close it; `overAt` is absent when none is known. */
async function standingOf(
  { showExecutions }: Services,
  { showId, executionName, startedAt, closings }: ShowState,
): Promise<{ status: 'running' | 'unbegun' | 'over'; overAt?: number | undefined }> {
  const own = await showExecutions.describe(executionName ?? showId)
  if (own.status === 'running') return own as { status: 'running' }
  const closing = closings > 0 ? await showExecutions.describe(closingName(showId, closings)) : undefined
  if (closing?.status === 'running') return { status: 'running' }
  if (closing?.status === 'over') return { status: 'over', overAt: closing.stoppedAt }
  if (own.status === 'over') return { status: 'over', overAt: own.stoppedAt }
  return startedAt || closings > 0 ? { status: 'over' } : { status: 'unbegun' }
}

async function begin({ showExecutions, clock }: Services, { showId, acceptedAt }: ShowState): Promise<SweepResult> {
  if (clock.now() < Date.parse(acceptedAt) + UNBEGUN) return 'left'
  await showExecutions.start(showId, { showId })
  return 'started'
}

/** Of a show that ended before it began: whoever ended it broke off before there was a result. */
async function completeEnd(
  services: Services,
  { showId, status, endReason = 'It ended.' }: ShowState,
): Promise<SweepResult> {
  if (status === 'stopped') await unschedule(showId, endReason, services)
  else await report(services, { showId, sessionId: null, reason: endReason, failure: null })
  return 'left'
}

/** Starts the next execution that is to end what the others left; it is counted first, so that none is forgotten. */
async function close(services: Services, state: ShowState, overAt: number | undefined): Promise<SweepResult> {
  const { shows, showExecutions, clock } = services
  const { showId, closings } = state
  const isCounted = closings > 0 && (await showExecutions.describe(closingName(showId, closings))).status === 'missing'
  const closing = isCounted ? closings : closings + 1
  if (closing > MAX_CLOSINGS) {
    const reason = `Its execution broke off, and ${MAX_CLOSINGS} others could not bring it to its end.`
    const endedAt = new Date(clock.now()).toISOString()
    await shows.update(showId, (latest) => ({ ...latest, endedAt: latest.endedAt ?? endedAt }))
    await report(services, { showId, sessionId: state.sessionId ?? null, reason, failure: null })
    return 'left' // until nothing of it runs any more
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
  readonly overAt: number
}

/** Stops what a show that was reported has left running, and settles it once nothing does and nothing can begin to. */
async function settle(services: Services, { request, state, result, overAt }: Reported): Promise<SweepResult> {
  const { shows, records, platform, clock } = services
  const { showId, sessionId } = state
  if (state.status !== result.status || !state.timeline.some(({ what }) => what === 'show.ended'))
    await report(services, { showId, sessionId: sessionId ?? null, reason: null, failure: null }) // it broke off before it told
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
  const since = clock.now() - overAt
  if (since < AFTERMATH || (!isQuiet && since < PLATFORM_END)) return 'left'
  await records.settle(showId)
  return 'settled'
}
