import { isDeepStrictEqual } from 'node:util'
import { MAX_ADDED_ORDERS } from '../../../lib/api/controls.ts'
import { dialIn } from '../../../lib/show/dial-ins/dial.ts'
import { type BroadcastOrder, longestBroadcast } from '../../../lib/show/document/broadcast.ts'
import { tagOf } from '../../../lib/show/document/fields/names.ts'
import { isDefinite } from '../../../lib/show/run/platform-errors.ts'
import { withEntry, withoutProblem } from '../../../lib/show/run/resource-entries.ts'
import { startBroadcastPart } from '../../../lib/show/run/start/start-parts.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ShowStoppedError, TaskConfigError } from '../../../lib/tasks/errors.ts'
import { ApiProblem, problemOf } from '../../http/problem.ts'
import { controlRoute } from './control.ts'

/** `POST /shows/{id}/broadcasts`: starts a broadcast in a live show, once: after a lost answer its tag finds it. */
export const postBroadcast = controlRoute('broadcast', {
  prepare(state, order, { isRepeated, now }) {
    refuseTooLong(state, order, now)
    const { name } = order
    const entry = { name, part: 1, tag: tagOf(state.showId, name), order }
    return { ...state, broadcasts: withAdded(state.broadcasts, { order, isRepeated, entry, hasBegun: isCreated }) }
  },
  async carryOut({ showId, sessionId }, { name }, services) {
    const started = await beginAdded(() => startBroadcastPart(services, { showId, sessionId, name, part: 1 }))
    return {
      happened: [
        { what: 'broadcast.started', name, part: 1 },
        { what: 'control.broadcast', name, detail: `The broadcast ${name} was started.` },
      ],
      change: (state) => ({
        ...state,
        broadcasts: state.broadcasts.map((one) =>
          one.tag === started.tag ? { ...withoutProblem(one), ...started } : one,
        ),
      }),
    }
  },
  // A broadcast that may run stays in the state and is found by its tag; any other is removed.
  afterFailure: (state, { name }, error) => ({ ...state, broadcasts: afterFailedStart(state, name, error) }),
})

/** `POST /shows/{id}/dial-ins`: dials a telephone once. A call whose answer was lost stays unknown under any key. */
export const postDialIn = controlRoute('dialIn', {
  prepare(state, order, { isRepeated }) {
    const entry = { name: order.name, order }
    return { ...state, dialIns: withAdded(state.dialIns, { order, isRepeated, entry, hasBegun: isAsked }) }
  },
  async carryOut({ showId, sessionId }, { name }, services) {
    const { outcome } = await beginAdded(() => dialIn(services, { showId, sessionId, name }))
    const detail =
      outcome === 'dialed'
        ? 'It was dialed.'
        : 'The platform’s answer was lost, so it is unknown whether it was dialed. It is not repeated.'
    return {
      happened: [{ what: 'control.dialIn', name, detail }],
      change: (state) => ({ ...state, dialIns: withEntry(state.dialIns, name, withoutProblem) }),
    }
  },
  // No call was made, so the order is removed and can be corrected.
  afterFailure: (state, { name }) => ({ ...state, dialIns: withoutAdded(state.dialIns, name, isAsked, state) }),
})

const isCreated = ({ broadcastId }: { broadcastId?: string | undefined }) => broadcastId !== undefined
const isAsked = ({ askedAt }: { askedAt?: string | undefined }) => askedAt !== undefined

function afterFailedStart({ broadcasts, controls }: ShowState, name: string, error: unknown): ShowState['broadcasts'] {
  if (problemOf(error, '').status >= 500)
    return withEntry(broadcasts, name, (entry) => ({ ...entry, problem: 'The platform failed while it was started.' }))
  // A refusal of a later try, or of a read, says nothing about the first try.
  if (!(error instanceof ApiProblem) && !isDefinite(error)) return broadcasts
  return withoutAdded(broadcasts, name, isCreated, { controls })
}

/** Applies the rule of the show document to the remaining time. */
function refuseTooLong({ plannedEndAt }: ShowState, order: BroadcastOrder, now: number): void {
  const left = plannedEndAt ? Math.ceil((Date.parse(plannedEndAt) - now) / 1000) : 0
  const longest = longestBroadcast(order)
  if (order.parts || left <= longest) return
  const message = `must be true: the show lasts ${left} s more, and the platform stops this broadcast after ${longest} s`
  throw new ApiProblem('change-refused', 'The show does not allow this; see problems.', [{ path: 'parts', message }])
}

interface Entry<Order> {
  readonly name: string
  readonly order?: Order | undefined
}

interface Adding<Order, Of extends Entry<Order>> {
  readonly order: Order
  /** Its entry in the state before it has started. */
  readonly entry: Of
  readonly hasBegun: (entry: Of) => boolean
  /** Set when the same control was interrupted before: then the state has its order already. */
  readonly isRepeated: boolean
}

/** Adds or replaces an order that has not started. @throws {@link ApiProblem} when the name is taken, or at the limit */
function withAdded<Order, Of extends Entry<Order>>(
  entries: readonly Of[],
  { order, entry, hasBegun, isRepeated }: Adding<Order, Of>,
): Of[] {
  const existing = entries.filter(({ name }) => name === entry.name)
  if (existing.length === 0) {
    if (entries.filter((one) => one.order).length >= MAX_ADDED_ORDERS)
      throw new ApiProblem('limit-reached', `This show has reached its limit of ${MAX_ADDED_ORDERS} additions.`)
    return [...entries, entry]
  }
  const [first] = existing
  if (isRepeated && isDeepStrictEqual(first?.order, order)) return [...entries]
  if (!first?.order || existing.some(hasBegun))
    throw new ApiProblem('name-taken', `The name ${entry.name} is taken in this show. Choose another one.`)
  return entries.map((one) => (one === first ? entry : one))
}

/** Starts an added order. @throws {@link ApiProblem} for an unusable secret, or a show that has ended */
async function beginAdded<T>(begin: () => Promise<T>): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    if (error instanceof TaskConfigError) throw new ApiProblem('invalid-secret', error.message)
    if (error instanceof ShowStoppedError) throw new ApiProblem('wrong-show-state', error.message)
    throw error
  }
}

/** Removes an order that could not start, unless a control in progress may be starting it. */
const withoutAdded = <Of extends Entry<unknown>>(
  entries: readonly Of[],
  name: string,
  hasBegun: (entry: Of) => boolean,
  { controls }: Pick<ShowState, 'controls'>,
): Of[] =>
  entries.filter((one) => one.name !== name || !one.order || hasBegun(one) || controls.some(({ done }) => !done))
