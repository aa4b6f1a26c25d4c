/** One page of a list, as the API answers it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Absent on the last page. */
  readonly cursor?: string | undefined
}

interface KeptPage<Item> extends Page<Item> {
  /** Cursor by which the page was read; undefined for the first page. */
  readonly from: string | undefined
  readonly readAt: number
}

/**
 * Creates a list of which the first page is read often, and later pages once they are wanted and whenever they are old.
 * @param read reads the page behind a cursor
 * @param maxAge milliseconds after which a later page is read again
 * @param firstMaxAge returns the milliseconds after which the first page is read again. @default 0 at each refresh
 */
export function createPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  maxAge: number,
  firstMaxAge: () => number = () => 0,
) {
  let pages: readonly KeptPage<Item>[] = []
  let wanted = 1
  /** Number of refreshes and resets: only the latest has an effect. */
  let latest = 0

  return {
    items: (): readonly Item[] => pages.flatMap(({ items }) => items),
    hasMore: (): boolean => pages.at(-1)?.cursor !== undefined,
    /** Has the next refresh read one page more. */
    wantMore() {
      wanted = pages.length + 1
    },
    /** Forgets all pages, for another filter. A refresh that is under way changes nothing. */
    reset() {
      pages = []
      wanted = 1
      latest += 1
    },
    /** Reads the first page unless it is recent, and later ones that are old, or that begin elsewhere because items were added. */
    async refresh(now: number): Promise<void> {
      latest += 1
      const mine = latest
      const fresh: KeptPage<Item>[] = []
      for (let index = 0; index < wanted; index++) {
        const from = fresh.at(-1)?.cursor
        if (index > 0 && from === undefined) break
        const kept = pages[index]
        const isKept = kept?.from === from && now - (kept?.readAt ?? 0) < (index > 0 ? maxAge : firstMaxAge())
        fresh.push(isKept && kept ? kept : { ...(await read(from)), from, readAt: now })
      }
      if (mine === latest) pages = fresh
    },
  }
}

/** Requests for one page of a list that a filter leaves empty. */
const MAX_REQUESTS = 10

/** Reads a page that a filter may leave empty, although more items follow, until it has enough items. */
export async function readFiltered<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  from: string | undefined,
  enough: number,
): Promise<Page<Item>> {
  const items: Item[] = []
  let cursor = from
  for (let request = 0; request < MAX_REQUESTS; request++) {
    const page = await read(cursor)
    items.push(...page.items)
    cursor = page.cursor
    if (cursor === undefined || items.length >= enough) break
  }
  return { items, ...(cursor !== undefined && { cursor }) }
}
