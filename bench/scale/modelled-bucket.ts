import type { Storage } from '../../lib/aws/storage/storage.ts'
import type { Clock } from '../../lib/clock.ts'

/** Milliseconds of one request to the bucket. */
const LATENCY = 20

/**
 * Creates the documents of a bucket in memory, with conditional writes. It counts requests, and each takes a while.
 * @param latency milliseconds of a request. @default 20
 */
export function createModelledBucket(clock: Clock, latency = LATENCY) {
  const documents = new Map<string, { readonly text: string; readonly etag: string; value?: unknown }>()
  const counts = { reads: 0, writes: 0 }
  let versions = 0
  const store = (key: string, text: string) => documents.set(key, { text, etag: `"${++versions}"` })
  const take = async () => {
    if (latency > 0) await clock.sleep(latency)
  }
  const storage = {
    async readDocument(key: string) {
      counts.reads++
      await take()
      const found = documents.get(key)
      if (!found) return undefined
      found.value ??= JSON.parse(found.text) // once, as each function does: that of thousands of shows has megabytes
      return { value: found.value, etag: found.etag }
    },
    async writeDocument(key: string, value: unknown, etag: string | undefined) {
      counts.writes++
      await take()
      if (documents.get(key)?.etag !== etag) return false
      store(key, JSON.stringify(value))
      return true
    },
    async put(key: string, body: Uint8Array | string) {
      counts.writes++
      await take()
      store(key, String(body))
    },
    async etagOf(key: string) {
      counts.reads++
      return documents.get(key)?.etag.replaceAll('"', '')
    },
    async delete(key: string) {
      counts.writes++
      await take()
      documents.delete(key)
    },
    async list(prefix: string, { limit, after = '' }: { limit: number; after?: string }) {
      counts.reads++
      await take()
      const keys = [...documents.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
      return { keys: keys.slice(0, limit), more: keys.length > limit }
    },
  }
  return { storage: storage as unknown as Storage, counts }
}
