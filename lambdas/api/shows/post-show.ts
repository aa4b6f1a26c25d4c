import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { problemOfTarget } from '../../../lib/operations/notifications/callback-reach.ts'
import type { Services } from '../../../lib/services.ts'
import { checkShow } from '../../../lib/show/document/check-show.ts'
import { MAX_SHOW_BODY, parseShow, type Show } from '../../../lib/show/document/show.ts'
import { passedStart } from '../../../lib/show/document/start-times.ts'
import { unschedule } from '../../../lib/show/run/sweep/unschedule.ts'
import { TaskInputError } from '../../../lib/tasks/errors.ts'
import { ApiProblem, type Detail } from '../../http/problem.ts'
import { type ApiEvent, type Asked, callerOf, idempotencyIdOf, ok, readJson } from '../../http/request.ts'
import { refuseUnlessRole } from '../controls/admission.ts'

/**
 * `POST /shows`: records a show and starts its execution or creates its schedule, once per caller and Idempotency-Key. With
 * `dryRun=true` everything is checked and nothing is recorded.
 */
export async function postShow(event: ApiEvent, services: Services, { query: { dryRun } }: Asked<'POST /shows'>) {
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
  if (show.publish.access === 'public')
    refuseUnlessRole(event, 'admin', 'A show with public recordings (publish.access)', services)
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
}

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

const invalid = (problems: readonly Detail[]) =>
  new ApiProblem('invalid-show', 'The show is not valid; see problems.', problems)
