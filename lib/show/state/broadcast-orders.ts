import type { BroadcastOrder } from '../document/broadcast.ts'
import type { ShowState } from './state.ts'

type Broadcasts = Pick<ShowState, 'broadcasts'>

/** Returns the orders of all broadcasts: those of the show document, then those that were added while the show runs. */
export function broadcastOrders(ordered: readonly BroadcastOrder[], { broadcasts }: Broadcasts): BroadcastOrder[] {
  const added = broadcasts.flatMap(({ order }) => order ?? [])
  return [...ordered, ...added.filter(({ name }) => !ordered.some((one) => one.name === name))]
}

/** Returns the order of one broadcast, from the show document or, if it was added later, from the state. */
export const broadcastOrderOf = (
  name: string,
  ordered: readonly BroadcastOrder[],
  state: Broadcasts,
): BroadcastOrder | undefined => broadcastOrders(ordered, state).find((one) => one.name === name)

/** Returns whether a broadcast was asked to stop while its show continues. */
export const isBroadcastStopped = (name: string, { broadcasts }: Broadcasts): boolean =>
  broadcasts.some((one) => one.name === name && one.stopAskedAt !== undefined)
