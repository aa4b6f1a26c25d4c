import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { problemOfTarget } from '../../lib/operations/notifications/callback-reach.ts'
import type { Services } from '../../lib/services.ts'
import { checkShow } from '../../lib/show/document/check-show.ts'
import { tokenOrder } from '../../lib/show/document/orders/token.ts'
import { publicPaths } from '../../lib/show/document/publishing.ts'
import { MAX_SHOW_BODY, parseShow, type Show } from '../../lib/show/document/show.ts'
import { passedStart } from '../../lib/show/document/start-times.ts'
import { findSecretProblems } from '../../lib/show/run/start/check-secrets.ts'
import { unschedule } from '../../lib/show/run/sweep/unschedule.ts'
import { isTerminal } from '../../lib/show/state/state.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import { ApiProblem, type Detail } from '../http/problem.ts'
import {
  callerOf,
  idempotencyIdOf,
  noShow,
  ok,
  pageOf,
  type Routes,
  readBody,
  readJson,
  showIdOf,
} from '../http/request.ts'
import { refuseUnlessRole } from './controls/admission.ts'

/** The routes of shows, except the controls of a running show. */
export const showRoutes = {
  /** Starts an execution or creates a schedule once per caller and Idempotency-Key. With `dryRun=true` nothing is recorded. */
  async 'POST /shows'(event, services, { query: { dryRun } }) {
    const { records, clock } = services
    const document = readJson(event, MAX_SHOW_BODY)
    const idempotencyId = idempotencyIdOf(event)
    const earlier = idempotencyId === undefined ? undefined : await records.readRequest(idempotencyId)
    // A repetition of a request that was in time is answered as it was then.
    const parsed = earlier
      ? parseShow(document)
      : checkShow(document, clock.now(), (show) => callbackProblems(show, services))
    if ('problems' in parsed) throw invalid(parsed.problems)
    const { show } = parsed
    const [publicPath] = publicPaths(show)
    if (publicPath !== undefined)
      refuseUnlessRole(event, 'admin', `A show with public recordings (${publicPath})`, services)
    if (!earlier) await refuseInvalidSecrets(show, services)
    if (dryRun === 'true') return ok({ valid: true, show })

    const showId = idempotencyId ?? randomUUID()
    const by = callerOf(event)
    const acceptedAt = new Date(clock.now()).toISOString()
    const accepted = await records.acceptShow(
      { version: 1, showId, acceptedAt, ...(by !== undefined && { by }), show },
      show.start ? 'scheduled' : 'starting',
    )
    if (!isDeepStrictEqual(accepted.show, show))
      throw new ApiProblem('idempotency-key-reused', 'The Idempotency-Key was used for another show. Use a new key.')
    await begin(showId, show, services)
    return ok({ showId, status: (await records.readState(showId))?.status ?? 'starting' }, 202)
  },

  async 'GET /shows'(_event, { records }, { query }) {
    const { items, cursor } = await records.listShows(pageOf(query))
    const states = await Promise.all(items.map((showId) => records.readState(showId)))
    const shows = states.flatMap((state) => {
      if (!state) return []
      const { showId, name, status, acceptedAt, liveAt, endedAt } = state
      return { showId, name, status, acceptedAt, liveAt, endedAt }
    })
    return ok({ items: shows, cursor })
  },

  async 'GET /shows/{id}'(event, { records, shows, usageRecords }) {
    const showId = showIdOf(event)
    const state = await records.readState(showId)
    if (!state) throw noShow(showId)
    // The other fields are for the machine.
    const { version: _version, controls: _controls, closings: _closings, broadcasts, dialIns, ...shown } = state
    const start = state.status === 'scheduled' ? (await shows.request(showId)).show.start : undefined
    const [result, usage] = await Promise.all([records.readResult(showId), usageRecords.readShow(showId)])
    return ok({
      ...shown,
      broadcasts: broadcasts.map(({ order: _, ...broadcast }) => broadcast),
      dialIns: dialIns.map(({ order: _, askedBy: __, tonesAskedBy: ___, ...dialIn }) => dialIn),
      ...(start && { start }),
      ...(result && { status: result.status, result }),
      ...(usage && { usage }),
    })
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
    const { sessionId, endedAt } = state
    if (endedAt) throw new ApiProblem('wrong-show-state', `The show ${showId} is over, so it issues no tokens.`)
    if (!sessionId)
      throw new ApiProblem(
        'wrong-show-state',
        `The show ${showId} has no session yet. Repeat the request once it has started.`,
      )
    const [apiKey, token] = await Promise.all([
      project.apiKey(),
      project.clientToken({ sessionId, role, expiresIn, layoutClasses, ...(data !== undefined && { data }) }),
    ])
    return ok({ apiKey, sessionId, token })
  },
} satisfies Partial<Routes>

/** Starts the show or creates its schedule, once for any number of requests. */
async function begin(showId: string, show: Show, services: Services): Promise<void> {
  const { records, showExecutions, schedules, clock } = services
  if (!show.start) return void (await showExecutions.start(showId, { showId }))
  if ((await records.readState(showId))?.status !== 'scheduled') return // its schedule has started it, or was deleted
  if (passedStart(show.start, clock.now())) return // its schedule is starting it
  try {
    await schedules.create(showId, show.start)
  } catch (error) {
    if (!(error instanceof TaskInputError)) throw error
    await unschedule(services, showId, 'It could not be scheduled.') // or it would stay listed as scheduled
    throw invalid([{ path: 'start', message: `cannot be scheduled: ${error.message}` }])
  }
}

function callbackProblems({ callback }: Show, { variable }: Pick<Services, 'variable'>): Detail[] {
  const message = callback && problemOfTarget(callback.url, variable('CALLBACK_REACH'))
  return message ? [{ path: 'callback.url', message }] : []
}

/** @throws {@link ApiProblem} for secrets that the show could not use when it runs */
async function refuseInvalidSecrets(show: Show, services: Pick<Services, 'showSecrets'>): Promise<void> {
  const problems = await findSecretProblems(services, show)
  if (problems.length === 0) return
  const details = problems.map(({ path, message }) => ({ path, message: `cannot be used: ${message}` }))
  throw new ApiProblem('invalid-secret', 'A secret of the show cannot be used; see problems.', details)
}

const invalid = (problems: readonly Detail[]) =>
  new ApiProblem('invalid-show', 'The show is not valid; see problems.', problems)

function reasonOf(variable: Services['variable']): string {
  if (variable('INSIGHTS_URL') === 'none') return 'this deployment does not query Insights; set platform.insightsUrl.'
  if (variable('INSIGHTS_PLAN') !== 'advanced')
    return 'it needs the advanced add-on of Insights; set platform.insights to advanced where the project has it.'
  return 'it is written up to an hour and five minutes after the show has ended.'
}
