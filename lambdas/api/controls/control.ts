import { createHash, randomUUID } from 'node:crypto'
import { apiFunction } from '../../../lib/api/api.ts'
import { type ControlBody, type ControlName, controls, MAX_CONTROLS } from '../../../lib/api/controls.ts'
import type { Services } from '../../../lib/services.ts'
import type { Control, ShowState, ShowStatus } from '../../../lib/show/state/state.ts'
import type { TimelineEvent } from '../../../lib/show/state/timeline-events.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, callerOf, idempotencyIdOf, noShow, ok, readBody, showIdOf } from '../../http/request.ts'
import type { Log } from '../../middleware/log.ts'

/** A session is open in every state in which a control needs one. */
export type OpenShow = ShowState & { readonly sessionId: string }

/** What carrying it out has come to, noted with that it is done. */
export interface Done {
  readonly happened: readonly Omit<TimelineEvent, 'id'>[]
  /** @throws ApiProblem when the state does not allow it any more */
  readonly change?: (state: ShowState) => ShowState
  /** What there was no time for: the control is answered with 202, and the watch machine does the rest. */
  readonly pending?: Control['pending']
}

/** What one control does beside what all do. */
export interface ControlOf<Name extends ControlName> {
  readonly name: Name
  /** Whether there is nothing left to do: then it is answered without being noted. */
  readonly isPointless?: (state: ShowState) => boolean
  /** Changes the state in the write that notes that it was asked for. @throws ApiProblem when the state does not allow it */
  readonly prepare?: (state: ShowState, body: ControlBody<Name>, isRepeated: boolean) => ShowState
  /** @throws ApiProblem, PlatformError: then it was not carried out, and may be asked for again */
  readonly carryOut: (show: OpenShow, body: ControlBody<Name>) => Promise<Done>
  /** What the state says of a failure. */
  readonly afterFailure?: (state: ShowState, body: ControlBody<Name>, error: unknown) => ShowState
}

/** Seconds after which a control that is noted and not done has broken off: its function is over by then. */
const MAX_ROUTE = apiFunction.timeout + 1

/**
 * Carries out a control: noted before, done, noted with what came of it. Asked again with the same Idempotency-Key it is
 * answered as it was; one that broke off is carried out again.
 */
export async function control<Name extends ControlName>(
  event: ApiEvent,
  { services, log }: { readonly services: Services; readonly log: Pick<Log, 'error'> },
  {
    name,
    isPointless = () => false,
    prepare = (state) => state,
    carryOut,
    afterFailure = (state) => state,
  }: ControlOf<Name>,
) {
  const { records, shows, clock } = services
  const { during, repeats, body: schema } = controls[name]
  const showId = showIdOf(event)
  const body = readBody(event, schema) as ControlBody<Name>
  const id = idempotencyIdOf(event) ?? randomUUID()
  const request = digestOf([name, body])
  const callId = randomUUID()
  const by = callerOf(event)
  const asker = by === undefined ? {} : { by }
  if (!(await records.readState(showId))) throw noShow(showId)

  /**
   * One that failed stands in the way neither of another try nor of a corrected one under the same key. Another call that
   * has begun the same one meanwhile has taken over its note: then it is for that call to say what came of it.
   */
  const forget = (change: (state: ShowState) => ShowState) =>
    records
      .updateState(showId, (latest) => {
        const isIt = (one: Control) => one.id === id && one.callId === callId && !one.done
        if (!latest.controls.some(isIt)) return latest
        return change({ ...latest, controls: latest.controls.filter((one) => !isIt(one)) })
      })
      .catch((error: unknown) => log.error('control not forgotten', { control: id, error })) // the caller has to hear of the failure before it

  let isDone = false // once more for each time that the state is read
  let isUnderWay = false
  const asked = await records.updateState(showId, (latest) => {
    const earlier = latest.controls.find((one) => one.id === id)
    isDone = earlier?.done ?? false
    if (earlier && earlier.request !== request)
      throw new ApiProblem(409, 'This Idempotency-Key was used for another control of this show: take a new key.')
    isDone ||= isPointless(latest)
    isUnderWay = earlier?.pending !== undefined
    if (isDone || isUnderWay) return latest
    if (earlier?.callId === callId) return latest // the answer to this call's own write was lost
    if (repeats && earlier && clock.now() - Date.parse(earlier.at) < MAX_ROUTE * 1000)
      throw new ApiProblem(409, `This control is under way: ask again in ${MAX_ROUTE} s to see what came of it.`)
    refuseUnless(latest, name, during)
    if (!earlier && name !== 'stop' && latest.controls.length >= MAX_CONTROLS)
      throw new ApiProblem(409, `The show ${showId} has had ${MAX_CONTROLS} controls: it takes no more.`)
    const note = { id, at: new Date(clock.now()).toISOString(), request, callId, ...asker, done: false }
    const others = latest.controls.filter((one) => one !== earlier)
    return prepare({ ...latest, controls: [...others, note] }, body, earlier !== undefined)
  })
  if (isDone) return answer(asked, id)
  if (isUnderWay) return answer(asked, id, 202)

  try {
    const { happened, change = (state) => state, pending } = await carryOut(asked as OpenShow, body)
    const withDone = (latest: ShowState) => ({
      ...latest,
      controls: latest.controls.map((one) =>
        one.id === id ? { ...one, ...(pending ? { pending } : { done: true }) } : one,
      ),
    })
    const entries = happened.map((entry) => ({ ...entry, id, ...asker }))
    return answer(await shows.update(showId, (latest) => change(withDone(latest)), ...entries), id, pending ? 202 : 200)
  } catch (error) {
    await forget((latest) => afterFailure(latest, body, error))
    throw error
  }
}

/** What stands in the show's timeline of a control: the same whenever it is asked for. */
function answer({ showId, timeline }: ShowState, id: string, status = 200) {
  const isOfIt = (one: ShowState['timeline'][number]) => one.id === id && one.what.startsWith('control.')
  return ok({ showId, control: id, timeline: timeline.filter(isOfIt) }, status)
}

const standing: Record<ShowStatus, string> = {
  scheduled: 'has not begun, and DELETE unschedules it',
  starting: 'is being opened',
  waiting: 'waits for its audience',
  live: 'is live',
  ending: 'is ending',
  succeeded: 'is over',
  failed: 'is over',
  stopped: 'is over',
}

function refuseUnless(
  { showId, status, stopAskedAt, endedAt }: ShowState,
  name: ControlName,
  during: readonly ShowStatus[],
): void {
  const isIn = during.includes(status)
  if (isIn && !endedAt && (!stopAskedAt || name === 'stop')) return
  const stands = !isIn ? standing[status] : endedAt ? standing.ending : 'was asked to stop'
  const needed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(during)
  throw new ApiProblem(409, `The show ${showId} ${stands}: this is only for one that is ${needed}.`)
}

/** Of a document, whatever the order of its fields. */
const digestOf = (document: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(document, (_key, value: unknown) => (isRecord(value) ? sorted(value) : value)))
    .digest('hex')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
