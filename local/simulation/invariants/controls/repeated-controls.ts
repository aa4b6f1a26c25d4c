import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence } from '../evidence.ts'
import { invocationsIn } from '../model/invocations.ts'

/** Calls that have an effect which a repetition would have again. */
const EFFECTS =
  /^platform (signal\w+|setArchiveLayout|setBroadcastLayout|start\w+|stop\w+|dial|force\w+|play\w+|change\w+|set\w+)$/
const DONE = 200

/**
 * Checks that a control is not carried out again once it was answered as done, and that its key is not taken for another one.
 * Only requests during which nothing else was asked of the API are judged, since the trace does not say which request a function
 * handles.
 */
export function repeatedControls({ apiRequests, trace }: Pick<Evidence, 'apiRequests' | 'trace'>): string[] {
  const reused = apiRequests
    .filter((one) => (one.status ?? 500) < 300 && isReused(one, apiRequests))
    .map(({ path, key }) => `the key ${key} was used for another control, and answers ${path} as done`)
  const repeated = apiRequests.filter((one) => isRepeated(one, apiRequests) && isAlone(one, apiRequests))
  if (repeated.length === 0) return reused
  const invocations = invocationsIn(trace, (caller) => /^Api(\/\d+)?$/.test(caller))
  const again = repeated.flatMap(({ path, key, askedAt, answeredAt }) => {
    const calls = invocations
      .filter(({ begin, at }) => (trace[begin]?.at ?? 0) >= askedAt && at <= answeredAt)
      .flatMap(({ entries }) => entries.flatMap(({ call }) => (call && EFFECTS.test(call.name) ? call.name : [])))
    return calls.length > 0 ? [`the control ${key} of ${path} was carried out again: ${calls[0]}`] : []
  })
  return [...reused, ...again]
}

/** Matches the controls of outputs, which take a key for one output. */
const OF_OUTPUT = /^(\/shows\/[^/]+)\/(recordings|broadcasts)\/[^/]+\/(pause|resume|stop)$/

/** Returns true for a control whose key was used for another control of its show, which was done. */
const isReused = (one: AnsweredRequest, all: readonly AnsweredRequest[]) => {
  const [, show] = OF_OUTPUT.exec(one.path) ?? []
  return (
    show !== undefined &&
    all.some(
      ({ path, key, status, answeredAt }) =>
        path !== one.path &&
        OF_OUTPUT.exec(path)?.[1] === show &&
        key === one.key &&
        status === DONE &&
        answeredAt < one.askedAt,
    )
  )
}

const isRepeated = (one: AnsweredRequest, all: readonly AnsweredRequest[]) =>
  one.method === 'POST' &&
  one.path.startsWith('/shows/') &&
  all.some(
    ({ path, key, body, status, answeredAt }) =>
      path === one.path && key === one.key && body === one.body && status === DONE && answeredAt < one.askedAt,
  )

const isAlone = (one: AnsweredRequest, all: readonly AnsweredRequest[]) =>
  all.every((other) => other === one || other.answeredAt < one.askedAt || other.askedAt > one.answeredAt)
