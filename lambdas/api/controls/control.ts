import { createHash } from 'node:crypto'
import { apiFunction } from '../../../lib/api/api.ts'
import {
  type ControlBody,
  type ControlDefinition,
  type ControlName,
  controls,
  MAX_CONTROLS,
} from '../../../lib/api/controls.ts'
import type { Services } from '../../../lib/services.ts'
import type { Control, ShowState, ShowStatus } from '../../../lib/show/state/state.ts'
import type { TimelineEvent } from '../../../lib/show/state/timeline-events.ts'
import { ApiProblem } from '../../http/problem.ts'
import {
  type ApiEvent,
  type Asked,
  callerOf,
  idempotencyIdOf,
  noShow,
  ok,
  polledAt,
  readBody,
  showIdOf,
} from '../../http/request.ts'

/** A show with a session, which is open in every status in which a control needs it. */
type OpenShow = ShowState & { readonly sessionId: string }

interface Done {
  readonly happened: readonly Omit<TimelineEvent, 'id'>[]
  /** @throws {@link ApiProblem} when the state no longer allows it */
  readonly change?: (state: ShowState) => ShowState
  /** The rest, for which there was no time: the API answers 202, and the watch machine completes it. */
  readonly pending?: Control['pending']
}

interface ControlOf<Name extends ControlName> {
  /** Returns whether there is nothing left to do: then the control is answered and not recorded. */
  readonly isPointless?: (state: ShowState) => boolean
  /** Changes the state in the write that records the request. @throws {@link ApiProblem} when the state does not allow it */
  readonly prepare?: (
    state: ShowState,
    body: ControlBody<Name>,
    asked: { readonly isRepeated: boolean; readonly now: number; readonly output: string },
  ) => ShowState
  /** @throws {@link ApiProblem}, {@link PlatformError}: then it was not carried out, and may be requested again */
  readonly carryOut: (
    show: OpenShow,
    body: ControlBody<Name>,
    services: Services,
    asked: { readonly id: string; readonly output: string },
  ) => Promise<Done>
  readonly afterFailure?: (state: ShowState, body: ControlBody<Name>, error: unknown) => ShowState
}

/** Seconds after which a control that is recorded and not done was interrupted: its function has ended by then. */
const MAX_ROUTE = apiFunction.timeout + 1

/**
 * Creates the route of a control: it records the control, carries it out, and records its result. A repeated request with the
 * same Idempotency-Key gets the same answer; a control that was interrupted is carried out again.
 */
export const controlRoute =
  <Name extends ControlName>(name: Name, definition: ControlOf<Name>) =>
  (event: ApiEvent, services: Services, { log }: Pick<Asked, 'log'>) =>
    control(event, { services, log }, name, definition)

async function control<Name extends ControlName>(
  event: ApiEvent,
  { services, log }: { readonly services: Services } & Pick<Asked, 'log'>,
  name: Name,
  { isPointless = () => false, prepare = (state) => state, carryOut, afterFailure = (state) => state }: ControlOf<Name>,
) {
  const { records, shows, clock, newId } = services
  const { during, repeats, body: schema }: ControlDefinition = controls[name]
  const showId = showIdOf(event)
  const body = readBody(event, schema) as ControlBody<Name>
  const id = idempotencyIdOf(event) ?? newId()
  const output = event.pathParameters?.name // recording or broadcast that it controls
  const request = digestOf([name, body, ...(output === undefined ? [] : [output])])
  const callId = newId()
  const asking = { id, output: output ?? '' }
  const by = callerOf(event)
  const caller = by === undefined ? {} : { by }
  if (!(await records.readState(showId))) throw noShow(showId)

  /** A failed control must not block another try under its key. A concurrent call that replaced the record decides. */
  const forget = (change: (state: ShowState) => ShowState) =>
    records
      .updateState(showId, (latest) => {
        const isIt = (one: Control) => one.id === id && one.callId === callId && !one.done
        if (!latest.controls.some(isIt)) return latest
        return change({ ...latest, controls: latest.controls.filter((one) => !isIt(one)) })
      })
      .catch((error: unknown) => log.error('control not forgotten', { control: id, error })) // the caller must get the first failure

  let isDone = false // computed again each time that the state is read
  let isPending = false
  const asked = await records.updateState(showId, (latest) => {
    const earlier = latest.controls.find((one) => one.id === id)
    isDone = earlier?.done ?? false
    if (earlier && earlier.request !== request)
      throw new ApiProblem('idempotency-key-reused', 'The Idempotency-Key was used for another control. Use a new key.')
    isDone ||= isPointless(latest)
    isPending = earlier?.pending !== undefined
    if (isDone || isPending) return latest
    if (earlier?.callId === callId) return latest // the answer to this call's own write was lost
    if (repeats && earlier && clock.now() - Date.parse(earlier.at) < MAX_ROUTE * 1000)
      throw new ApiProblem(
        'control-in-progress',
        `The control is in progress. Repeat the request in ${MAX_ROUTE} s.`,
        undefined,
        {
          'retry-after': String(MAX_ROUTE),
        },
      )
    refuseUnless(latest, name, during)
    if (!earlier && name !== 'stop' && latest.controls.length >= MAX_CONTROLS)
      throw new ApiProblem('limit-reached', `The show ${showId} has reached its limit of ${MAX_CONTROLS} controls.`)
    const record = { id, at: new Date(clock.now()).toISOString(), request, callId, ...caller, done: false }
    const others = latest.controls.filter((one) => one !== earlier)
    const attempt = { isRepeated: earlier !== undefined, now: clock.now(), output: asking.output }
    return prepare({ ...latest, controls: [...others, record] }, body, attempt)
  })
  if (isDone) return answer(asked, id)
  if (isPending) return answer(asked, id, 202)

  try {
    const { happened, change = (state) => state, pending } = await carryOut(asked as OpenShow, body, services, asking)
    const withDone = (latest: ShowState) => ({
      ...latest,
      controls: latest.controls.map((one) =>
        one.id === id ? { ...one, ...(pending ? { pending } : { done: true }) } : one,
      ),
    })
    const entries = happened.map((entry) => ({ ...entry, id, ...caller }))
    return answer(await shows.update(showId, (latest) => change(withDone(latest)), ...entries), id, pending ? 202 : 200)
  } catch (error) {
    await forget((latest) => afterFailure(latest, body, error))
    throw error
  }
}

/** Answers with the entries of the show's timeline that the control has added: the same for every request. */
function answer({ showId, timeline }: ShowState, id: string, status = 200) {
  const isOfIt = (one: ShowState['timeline'][number]) => one.id === id && one.what.startsWith('control.')
  const headers = status === 202 ? polledAt(`/shows/${showId}`) : {}
  return ok({ showId, control: id, timeline: timeline.filter(isOfIt) }, status, headers)
}

const descriptions: Record<ShowStatus, string> = {
  scheduled: 'has not started (DELETE unschedules it)',
  starting: 'is starting',
  waiting: 'is waiting for its audience',
  live: 'is live',
  ending: 'is ending',
  succeeded: 'is over',
  failed: 'is over',
  stopped: 'is over',
  cancelled: 'is over',
  degraded: 'is over',
}

function refuseUnless(
  { showId, status, stopAskedAt, endedAt }: ShowState,
  name: ControlName,
  during: readonly ShowStatus[],
): void {
  const isIn = during.includes(status)
  if (isIn && !endedAt && (!stopAskedAt || name === 'stop')) return
  const description = !isIn ? descriptions[status] : endedAt ? descriptions.ending : 'is stopping'
  const needed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(during)
  throw new ApiProblem(
    'wrong-show-state',
    `The show ${showId} ${description}. The request needs a show that is ${needed}.`,
  )
}

/** Returns the hash of a document, which does not depend on the order of its fields. */
const digestOf = (document: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(document, (_key, value: unknown) => (isRecord(value) ? sorted(value) : value)))
    .digest('hex')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
