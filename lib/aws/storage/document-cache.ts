/** The last text of each document with its value, so that an unchanged document is parsed once. */
export type DocumentCache = ReturnType<typeof createDocumentCache>

/** Creates a cache that forgets the documents that were read longest ago. @param max characters of all its texts */
export function createDocumentCache(max = 8_000_000) {
  const kept = new Map<string, { readonly text: string; readonly value: unknown }>()
  let size = 0
  const forget = (key: string) => {
    size -= kept.get(key)?.text.length ?? 0
    kept.delete(key)
  }
  return {
    /** Returns the JSON value of a document’s text: the earlier one while the text is unchanged. */
    parse(key: string, text: string): unknown {
      const known = kept.get(key)
      const value = known?.text === text ? known.value : JSON.parse(text)
      forget(key)
      kept.set(key, { text, value })
      size += text.length
      for (const oldest of kept.keys()) {
        if (size <= max) break
        forget(oldest)
      }
      return value
    },
  }
}
