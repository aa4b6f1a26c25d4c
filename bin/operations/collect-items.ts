import type { Listing } from '../../lib/client/listing.ts'

/** Limit of the API. */
const MAX_PAGE_ITEMS = 100

export interface Collected<Item> {
  readonly items: readonly Item[]
  /** Cursor after the last item; absent at the end of the list. */
  readonly cursor?: string
}

/** Reads pages of a list until there are `limit` items or no more. */
export async function collectItems<Item>(
  list: (query: { limit: number; cursor: string | undefined }) => Pick<Listing<Item>, 'page'>,
  limit: number,
  cursor: string | undefined,
): Promise<Collected<Item>> {
  const items: Item[] = []
  let next = cursor
  do {
    const page = await list({ limit: Math.min(limit - items.length, MAX_PAGE_ITEMS), cursor: next }).page()
    items.push(...page.items)
    next = page.cursor
  } while (next && items.length < limit)
  return { items, ...(next && { cursor: next }) }
}
