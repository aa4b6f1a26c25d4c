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
  /** How it stands in the state before it has begun. */
  readonly entry: Of
  readonly hasBegun: (entry: Of) => boolean
  /** Whether the same control has broken off before: then its order stands there already. */
  readonly isRepeated: boolean
}

/**
 * A list of a state with what is added while the show runs. One that was added and has not begun may be ordered anew.
 * @throws ApiProblem when the name is taken, or too many were added
 */
export function withAdded<Order, Of extends Entry<Order>>(
  entries: readonly Of[],
  { order, entry, hasBegun, isRepeated }: Adding<Order, Of>,
): Of[] {
  const existing = entries.filter(({ name }) => name === entry.name)
  if (existing.length === 0) {
    if (entries.filter((one) => one.order).length >= MAX_ADDED_ORDERS)
      throw new ApiProblem(409, `${MAX_ADDED_ORDERS} were added to this show: it takes no more.`)
    return [...entries, entry]
  }
  const [first] = existing
  if (isRepeated && isDeepStrictEqual(first?.order, order)) return [...entries]
  if (!first?.order || existing.some(hasBegun))
    throw new ApiProblem(409, `The name ${entry.name} is taken in this show: take another.`)
  return entries.map((one) => (one === first ? entry : one))
}

/** Begins what was added. @throws ApiProblem for what the caller can put right: a missing secret, a show that has ended */
export async function beginAdded<T>(begin: () => Promise<T>): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    if (error instanceof TaskConfigError || error instanceof ShowStoppedError) throw new ApiProblem(409, error.message)
    throw error
  }
}

/**
 * A list of a state without what could not begin, as if it had not been asked for. While another control is under way it
 * stays, since that one may be beginning it.
 */
export const withoutAdded = <Of extends Entry<unknown>>(
  entries: readonly Of[],
  { name, hasBegun, controls }: { name: string; hasBegun: (entry: Of) => boolean } & Pick<ShowState, 'controls'>,
): Of[] =>
  entries.filter((one) => one.name !== name || !one.order || hasBegun(one) || controls.some(({ done }) => !done))
