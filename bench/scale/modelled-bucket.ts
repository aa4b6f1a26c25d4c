import type { Storage } from '../../lib/aws/storage/storage.ts'
import type { Clock } from '../../lib/clock.ts'

/** Milliseconds of one request to the bucket. */
const LATENCY = 20

/** Creates the documents of a bucket in memory, with conditional writes. It counts requests, and each takes a while. */
export function createModelledBucket(clock: Clock) {
  const documents = new Map<string, { readonly text: string; readonly etag: string }>()
  const counts = { reads: 0, writes: 0 }
  let versions = 0
  const store = (key: string, text: string) => documents.set(key, { text, etag: `"${++versions}"` })
  const storage = {
    async readDocument(key: string) {
      counts.reads++
      await clock.sleep(LATENCY)
      const found = documents.get(key)
      return found && { value: JSON.parse(found.text) as unknown, etag: found.etag }
    },
    async writeDocument(key: string, value: unknown, etag: string | undefined) {
      counts.writes++
      await clock.sleep(LATENCY)
      if (documents.get(key)?.etag !== etag) return false
      store(key, JSON.stringify(value))
      return true
    },
    async put(key: string, body: Uint8Array | string) {
      counts.writes++
      await clock.sleep(LATENCY)
      store(key, String(body))
    },
    async etagOf(key: string) {
      counts.reads++
      return documents.get(key)?.etag.replaceAll('"', '')
    },
  }
  return { storage: storage as unknown as Storage, counts }
}
