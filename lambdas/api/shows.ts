import { isDeepStrictEqual } from 'node:util'
import type { QueryOf } from '../../lib/api/api.ts'
import { describeStart } from '../../lib/api/cron-in-words.ts'
import { placeOf, readWaiting } from '../../lib/publish/queue/waiting-publishes.ts'
import type { Page } from '../../lib/records/records.ts'
import type { Services } from '../../lib/services.ts'
import { tokenOrder } from '../../lib/show/document/orders/token.ts'
import type { Show } from '../../lib/show/document/show.ts'
import { passedStart } from '../../lib/show/document/starts/start-times.ts'
import { forecastOf } from '../../lib/show/plan/forecast/forecast.ts'
import { nextStart } from '../../lib/show/plan/next-start.ts'
import { editScheduled, reschedule } from '../../lib/show/run/start/edit-scheduled.ts'
import { unschedule } from '../../lib/show/run/sweep/unschedule.ts'
import { indexPrefixes, keys } from '../../lib/show/state/keys.ts'
import { isTerminal, type ShowState } from '../../lib/show/state/state.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import { ApiProblem } from '../http/problem.ts'
import {
  type ApiEvent,
  callerOf,
  idempotencyIdOf,
  noShow,
  ok,
  pageOptionsOf,
  polledAt,
  type Routes,
  readBody,
  showIdOf,
} from '../http/request.ts'
import { filteredPage, hasLabel } from './filtered-page.ts'
import { invalid, readPostedShow } from './posted-show.ts'
import { linkToShow } from './show-link.ts'

/** The routes of shows, except the controls of a running show. */
export const showRoutes = {
  /** Starts an execution or creates a schedule once per caller and Idempotency-Key. With `dryRun=true` nothing is recorded. */
  async 'POST /shows'(event, services, { query: { dryRun } }) {
    const { records, clock, newId } = services
    const idempotencyId = idempotencyIdOf(event)
    const earlier = idempotencyId === undefined ? undefined : await records.readRequest(idempotencyId)
    const show = await readPostedShow(event, services, { isRepeated: earlier !== undefined })
    if (dryRun === 'true')
      return ok({ valid: true, show, forecast: forecastOf(show, { now: clock.now(), describeStart }) })

    const showId = idempotencyId ?? newId()
    const by = callerOf(event)
    const acceptedAt = new Date(clock.now()).toISOString()
    const accepted = await records.acceptShow(
      { version: 1, showId, acceptedAt, ...(by !== undefined && { by }), show },
      show.start ? 'scheduled' : 'starting',
    )
    if (!isDeepStrictEqual(accepted.show, show))
      throw new ApiProblem('idempotency-key-reused', 'The Idempotency-Key was used for another show. Use a new key.')
    await begin(showId, show, services)
    return ok(
      { showId, status: (await records.readState(showId))?.status ?? 'starting' },
      202,
      polledAt(`/shows/${showId}`),
    )
  },

  async 'GET /shows'(_event, { records }, { query }) {
    const { items, cursor } = await listStates(records, query)
    const shows = items.map(({ showId, name, status, acceptedAt, scheduleId, liveAt, endedAt }) => ({
      ...{ showId, name, status, acceptedAt, scheduleId, liveAt, endedAt },
    }))
    return ok({ items: shows, cursor })
  },

  async 'GET /shows/{id}'(event, services) {
    const showId = showIdOf(event)
    const state = await services.records.readState(showId)
    if (!state) throw noShow(showId)
    return ok(await describeShow(state, event, services))
  },

  /** Replaces the document and the schedule of a show that has not begun. The same request again changes nothing. */
  async 'PUT /shows/{id}'(event, services) {
    const showId = showIdOf(event)
    const { records } = services
    const before = await records.readState(showId)
    if (!before) throw noShow(showId)
    refuseBegun(before)
    const show = await readPostedShow(event, services)
    const { start } = show
    if (!start) throw invalid([{ path: 'start', message: 'must be there: the show is scheduled' }])
    const edited = await editScheduled(services, showId, { ...show, start }, callerOf(event))
    refuseBegun(edited)
    try {
      await reschedule(services, showId)
    } catch (error) {
      throw unschedulable(error)
    }
    return ok(await describeShow((await records.readState(showId)) ?? edited, event, services))
  },

  /** Answers whose connection was bad, once Insights have reported it. */
  async 'GET /shows/{id}/quality'(event, { records, usageRecords, variable }) {
    const showId = showIdOf(event)
    const quality = await usageRecords.readQuality(showId)
    if (quality) return ok(quality)
    if (!(await records.readState(showId))) throw noShow(showId)
    throw new ApiProblem('no-quality-report', `There is no quality report of the show ${showId}: ${reasonOf(variable)}`)
  },

  /** Unschedules a show that has not started. Occurrences of a recurring show that have started continue. */
  async 'DELETE /shows/{id}'(event, services) {
    const showId = showIdOf(event)
    if (!(await services.records.readState(showId))) throw noShow(showId)
    if (await unschedule(services, showId, 'It was unscheduled.', callerOf(event)))
      return ok({ showId, status: 'stopped' })
    const status = (await services.records.readState(showId))?.status ?? ''
    throw new ApiProblem(
      'wrong-show-state',
      isTerminal(status)
        ? `The show ${showId} is over, so it cannot be unscheduled.`
        : `The show ${showId} has started. Stop it with POST /shows/${showId}/stop.`,
    )
  },

  async 'POST /shows/{id}/tokens'(event, { records, project }) {
    const showId = showIdOf(event)
    const { role, data, expiresIn, layoutClasses } = readBody(event, tokenOrder)
    const state = await records.readState(showId)
    if (!state) throw noShow(showId)
    const { sessionId, endedAt, status } = state
    if (endedAt || isTerminal(status))
      throw new ApiProblem('wrong-show-state', `The show ${showId} is over, so it issues no tokens.`)
    if (!sessionId)
      throw new ApiProblem(
        'show-not-open',
        `The show ${showId} has no session yet. Repeat the request once it has started.`,
      )
    const [apiKey, token] = await Promise.all([
      project.apiKey(),
      project.clientToken({ sessionId, role, expiresIn, layoutClasses, ...(data !== undefined && { data }) }),
    ])
    return ok({ apiKey, sessionId, token })
  },
} satisfies Partial<Routes>

async function listStates(
  { listShows, readState, readRequest }: Services['records'],
  query: QueryOf<'GET /shows'>,
): Promise<Page<ShowState>> {
  const { status, from, to, scheduleId, label } = query
  const options = pageOptionsOf(query)
  if ([status, from, to, scheduleId, label].every((one) => one === undefined)) {
    const { items, cursor } = await listShows(options)
    const states = await Promise.all(items.map(readState))
    return { items: states.flatMap((state) => state ?? []), ...(cursor !== undefined && { cursor }) }
  }
  const cursorAt = (time: string, showId: string) =>
    keys.showIndex(Date.parse(time), showId).slice(indexPrefixes.shows.length)
  const until = to === undefined ? {} : { after: cursorAt(to, '') }
  return filteredPage<ShowState>(
    { ...until, ...options },
    {
      list: listShows,
      read: readState,
      isWanted: async (state) =>
        (status === undefined || state.status === status) &&
        (scheduleId === undefined || state.scheduleId === scheduleId) &&
        (label === undefined || hasLabel((await readRequest(state.showId))?.show.labels, label)),
      isPast: ({ acceptedAt }) => from !== undefined && Date.parse(acceptedAt) < Date.parse(from),
      cursorOf: ({ acceptedAt, showId }) => cursorAt(acceptedAt, showId),
    },
  )
}

/** Returns a show as the API answers it, without the fields that are for the machine. */
async function describeShow(state: ShowState, event: ApiEvent, services: Services) {
  const { records, usageRecords, clock } = services
  const { showId, status, recordings, broadcasts, dialIns } = state
  const {
    version: _,
    controls: __,
    closings: ___,
    edit: ____,
    rescheduling: _____,
    invitationEpoch: ______,
    participantSeen: _______,
    emptySeenAt: ________,
    ...shown
  } = state
  const hasArrived = recordings.some(({ key }) => key !== undefined)
  const [waiting, request, result, usage] = await Promise.all([
    hasArrived ? readWaiting(services) : [],
    records.readRequest(showId),
    records.readResult(showId),
    usageRecords.readShow(showId),
  ])
  const start = status === 'scheduled' ? request?.show.start : undefined
  const next = start && nextStart(start, clock.now())
  return {
    ...shown,
    recordings: recordings.map((part) => ({ ...part, ...placeOf(part.archiveId, waiting) })),
    broadcasts: broadcasts.map(({ order: _, ...broadcast }) => broadcast),
    dialIns: dialIns.map(({ order: _, askedBy: __, tonesAskedBy: ___, ...dialIn }) => dialIn),
    ...(request && { document: request.show }),
    ...(start && { start }),
    ...(request && { watch: await linkToShow(request, event, services) }),
    ...(next !== undefined && { nextStart: new Date(next).toISOString() }),
    ...(result && { status: result.status, result }),
    ...(usage && { usage }),
  }
}

/** @throws {@link ApiProblem} when a show has begun, or is over */
function refuseBegun({ showId, status }: ShowState): void {
  if (status === 'scheduled') return
  throw new ApiProblem(
    'wrong-show-state',
    isTerminal(status)
      ? `The show ${showId} is over, so it cannot be edited. Post another one.`
      : `The show ${showId} has begun. Change it with PATCH /shows/${showId}.`,
  )
}

/** The reason of the end of a show whose start Scheduler refused. */
const UNSCHEDULABLE = 'It could not be scheduled.'

/** Starts the show or creates its schedule, once for any number of requests. */
async function begin(showId: string, show: Show, services: Services): Promise<void> {
  const { records, showExecutions, schedules, clock } = services
  if (!show.start) return void (await showExecutions.start(showId, { showId }))
  const { status, endReason } = (await records.readState(showId)) ?? {}
  if (endReason === UNSCHEDULABLE) throw invalid([{ path: 'start', message: 'cannot be scheduled' }]) // as said before
  if (status !== 'scheduled') return // its schedule has started it, or was deleted
  if (passedStart(show.start, clock.now())) return // its schedule is starting it
  try {
    await schedules.create(showId, { ...show, start: show.start })
  } catch (error) {
    const problem = unschedulable(error)
    if (problem !== error) await unschedule(services, showId, UNSCHEDULABLE) // or it would stay listed as scheduled
    throw problem
  }
}

/** Returns the problem of a start that Scheduler refuses, or any other error as it is. */
const unschedulable = (error: unknown) =>
  error instanceof TaskInputError
    ? invalid([{ path: 'start', message: `cannot be scheduled: ${error.message}` }])
    : error

function reasonOf(variable: Services['variable']): string {
  if (variable('INSIGHTS_URL') === 'none') return 'this deployment does not query Insights; set platform.insightsUrl.'
  if (variable('INSIGHTS_PLAN') !== 'advanced')
    return 'it needs the advanced add-on of Insights; set platform.insights to advanced where the project has it.'
  return 'it is written up to an hour and five minutes after the show has ended.'
}
