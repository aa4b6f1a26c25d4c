import { isDeepStrictEqual } from 'node:util'
import { MAX_ADDED_ORDERS } from '../../../lib/api/controls.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ShowStoppedError, TaskConfigError } from '../../../lib/tasks/errors.ts'
import { ApiProblem } from '../../http/problem.ts'

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

/**
 * Adds an order to a list of the state. An added order that has not started may be replaced.
 * @throws {@link ApiProblem} when the name is taken, or the limit is reached
 */
export function withAdded<Order, Of extends Entry<Order>>(
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
export async function beginAdded<T>(begin: () => Promise<T>): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    if (error instanceof TaskConfigError) throw new ApiProblem('invalid-secret', error.message)
    if (error instanceof ShowStoppedError) throw new ApiProblem('wrong-show-state', error.message)
    throw error
  }
}

/**
 * Removes an order that could not start from a list of the state. It stays while another control is in progress, since that
 * one may be starting it.
 */
export const withoutAdded = <Of extends Entry<unknown>>(
  entries: readonly Of[],
  { name, hasBegun, controls }: { name: string; hasBegun: (entry: Of) => boolean } & Pick<ShowState, 'controls'>,
): Of[] =>
  entries.filter((one) => one.name !== name || !one.order || hasBegun(one) || controls.some(({ done }) => !done))
