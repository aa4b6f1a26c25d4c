import type { Page, PageOptions } from '../../lib/records/records.ts'

/** Entries of an index that are read together. */
const BATCH = 100
/** Entries after which an answer ends, so that it is not late. The next page continues there. */
const MAX_READ = 300

interface Filter<Item> {
  readonly list: (options: PageOptions) => Promise<Page<string>>
  /** Returns the item of an id; undefined if it is missing. */
  readonly read: (id: string) => Promise<Item | undefined>
  readonly isWanted: (item: Item) => boolean | Promise<boolean>
  /** Returns true for an item after which none is wanted. @default never */
  readonly isPast?: (item: Item) => boolean
  /** Returns the cursor of the entry of an item. */
  readonly cursorOf: (item: Item) => string
}

/**
 * Returns a page of the items that a filter wants. If few are wanted, it may have fewer items than its limit, or none, and still
 * a cursor.
 */
export async function filteredPage<Item>(
  { limit, after }: PageOptions,
  { list, read, isWanted, isPast = () => false, cursorOf }: Filter<Item>,
): Promise<Page<Item>> {
  const items: Item[] = []
  let last = after
  for (let count = 0; count < MAX_READ; ) {
    const page = await list({ limit: BATCH, ...(last !== undefined && { after: last }) })
    const found = await Promise.all(
      page.items.map(async (id) => {
        const item = await read(id)
        return item && { item, wanted: await isWanted(item) }
      }),
    )
    for (const [index, one] of found.entries()) {
      if (!one) continue
      if (isPast(one.item)) return { items }
      if (!one.wanted) continue
      items.push(one.item)
      const isLast = index === found.length - 1 && page.cursor === undefined
      if (items.length === limit) return { items, ...(!isLast && { cursor: cursorOf(one.item) }) }
    }
    if (page.cursor === undefined) return { items }
    last = page.cursor
    count += page.items.length
  }
  return { items, ...(last !== undefined && { cursor: last }) }
}

/** Returns whether labels have the one that a query names as `name=value`. */
export function hasLabel(labels: Readonly<Record<string, string>> | undefined, label: string): boolean {
  const end = label.indexOf('=')
  return labels?.[label.slice(0, end)] === label.slice(end + 1)
}
