/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[]
  /** Cursor of the next page; absent on the last page. */
  readonly cursor?: string | undefined
}

/** A list. Iterate over it to read all items, page by page. Nothing is requested before that. */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** Reads one page: the first, or the one after the query's `cursor`. */
  page(): Promise<Page<Item>>
}

/**
 * Creates a list.
 * @param read reads the page at a cursor, or the first
 */
export function createListing<Item>(read: (cursor?: string) => Promise<Page<Item>>): Listing<Item> {
  return {
    page: () => read(),
    async *[Symbol.asyncIterator]() {
      let page = await read()
      for (;;) {
        yield* page.items
        if (page.cursor === undefined) return
        page = await read(page.cursor)
      }
    },
  }
}
