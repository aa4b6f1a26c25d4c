import type { Page } from '../pages.ts'

/** A filter of the API. Empty if nothing is filtered. */
export type LibraryQuery = Readonly<Record<string, string>>

interface Identified {
  readonly archiveId: string
}

/**
 * Creates a list that grows by a page whenever its end is near. Its beginning is replaced by a fresh first page, without a new
 * request for what follows.
 * @param read reads the page behind a cursor
 */
export function createLibraryPages<Item extends Identified>(
  read: (cursor: string | undefined, query: LibraryQuery) => Promise<Page<Item>>,
) {
  let query: LibraryQuery = {}
  let items: readonly Item[] = []
  let cursor: string | undefined
  let hasBegun = false
  let reading: Promise<void> | undefined

  const begin = (next: LibraryQuery) => {
    query = next
    items = []
    cursor = undefined
    hasBegun = false
    reading = undefined
  }
  return {
    query: () => query,
    items: () => items,
    hasBegun: () => hasBegun,
    isReading: () => reading !== undefined,
    hasMore: () => !hasBegun || cursor !== undefined,
    /** Forgets all pages, for another filter. Answers to the former one are ignored. */
    begin,
    /** Puts a fresh first page in place of the items down to its last one. Without one in common, the list begins again. */
    renew(page: Page<Item>) {
      const fresh = new Set(page.items.map(({ archiveId }) => archiveId))
      const last = items.findLastIndex(({ archiveId }) => fresh.has(archiveId))
      if (last < 0 || page.cursor === undefined) cursor = page.cursor
      items = last < 0 || page.cursor === undefined ? page.items : [...page.items, ...items.slice(last + 1)]
      hasBegun = true
    },
    /** Reads the next page. A call while one is read has no effect. */
    more(): Promise<void> {
      if (reading || (hasBegun && cursor === undefined)) return reading ?? Promise.resolve()
      const [asked, after] = [query, cursor]
      const mine = read(after, asked)
        .then((page) => {
          if (reading !== mine) return
          const known = new Set(items.map(({ archiveId }) => archiveId))
          items = [...items, ...page.items.filter(({ archiveId }) => !known.has(archiveId))]
          if (cursor === after) cursor = page.cursor
          hasBegun = true
        })
        .finally(() => {
          if (reading === mine) reading = undefined
        })
      reading = mine
      return mine
    },
  }
}
