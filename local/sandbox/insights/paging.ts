import { InsightsRefusal } from '../http/insights-refusal.ts'

export interface PageArguments {
  readonly first?: number | null
  readonly endCursor?: string | null
}

/** A page in the form of the schema. Its resources are created only when the query selects them. */
export interface InsightsPage<Item> {
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  resources(): Item[]
}

const DEFAULT_FIRST = 1_000

/** Counts created objects; throws {@link InsightsRefusal} 1004 once a query has asked for too many. */
export type Spend = (objects: number) => void

/**
 * Returns the requested page of `length` items.
 * @throws {@link InsightsRefusal} 1005 for a size below 1 or an invalid cursor
 */
export function insightsPageOf<Item>(
  length: number,
  itemAt: (index: number) => Item,
  { first, endCursor }: PageArguments,
  spend: Spend,
): InsightsPage<Item> {
  const count = first ?? DEFAULT_FIRST
  if (count < 1) throw new InsightsRefusal(1005, 'first must be at least 1')
  const start = endCursor ? offsetOf(endCursor) : 0
  const end = Math.min(start + count, length)
  return {
    totalCount: length,
    pageInfo: { hasNextPage: end < length, endCursor: end > start ? cursorOf(end) : null },
    resources() {
      const made = Math.max(0, end - start)
      spend(made)
      return Array.from({ length: made }, (_, index) => itemAt(start + index))
    },
  }
}

const cursorOf = (offset: number) => Buffer.from(`after ${offset}`).toString('base64url')

function offsetOf(cursor: string): number {
  const [, offset] = /^after (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset === undefined) throw new InsightsRefusal(1005, 'endCursor is not a cursor of this interface')
  return Number(offset)
}
