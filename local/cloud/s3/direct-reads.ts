import { type KeysQuery, listKeys } from './operations/listing.ts'
import type { ObjectRecord } from './store/records.ts'
import type { ObjectStore } from './store/store.ts'
import { type Versioning, versionHeader, versionIdOf } from './store/versions.ts'

/** The head of a version. Its ETag is quoted, as in answers. */
export interface StoredHead {
  readonly key: string
  readonly versionId: string
  readonly etag: string
  /** Bytes. */
  readonly size: number
}

/** The answer of HeadObject. Only a bucket with versions names the version. */
interface CurrentHead extends Omit<StoredHead, 'versionId'> {
  readonly versionId: string | undefined
}

/** A version of an object, or a range of its bytes. */
export interface StoredVersion extends StoredHead {
  readonly bytes: Buffer
}

/** A version among all versions of a bucket. */
export interface ListedVersion extends StoredVersion {
  readonly isLatest: boolean
  readonly tags: Readonly<Record<string, string>>
}

/** A range of bytes, `end` exclusive. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Bytes of the versions that are kept in memory, and maximum bytes of one of them. */
const MAX_RECENT = 128 * 2 ** 20
const MAX_RECENT_VERSION = 8 * 2 ** 20

/** Creates reads of the store without requests. */
export function createDirectReads(store: ObjectStore, versioningOf: (bucket: string) => Versioning) {
  /** Versions that were read, by their numbers. Versions never change. */
  const recent = new Map<number, StoredVersion>()
  let recentBytes = 0

  const readRecent = async (object: ObjectRecord): Promise<StoredVersion> => {
    const known = recent.get(object.id)
    if (known) return known
    const version = await readVersion(object)
    if (object.size > MAX_RECENT_VERSION || recent.has(object.id)) return version // another read was faster
    recent.set(object.id, version)
    recentBytes += object.size
    for (const id of recent.keys()) {
      if (recentBytes <= MAX_RECENT) break
      forget(id) // the one that was read first
    }
    return version
  }
  const forget = (id: number) => {
    recentBytes -= recent.get(id)?.size ?? 0
    recent.delete(id)
  }

  const readVersion = async (object: ObjectRecord, range?: ByteRange): Promise<StoredVersion> => {
    const held = store.hold(object.id, range?.start, range?.end)
    try {
      return { ...headOf(object), bytes: ownCopyOf(await Array.fromAsync(held.bytes())) }
    } finally {
      held.release()
    }
  }

  return {
    /** Returns the head of an object’s current version as HeadObject does; undefined if there is none. */
    head(bucket: string, key: string): CurrentHead | undefined {
      const object = store.records.object(bucket, key)
      if (!object) return undefined
      return { ...headOf(object), versionId: versionHeader(object, versioningOf(bucket))['x-amz-version-id'] }
    },
    /** Reads the current version of an object, or a range, as GetObject does; undefined if there is none. */
    async read(bucket: string, key: string, range?: ByteRange): Promise<StoredVersion | undefined> {
      const object = store.records.object(bucket, key)
      if (!object) return undefined
      return range ? readVersion(object, range) : readRecent(object)
    },
    /** Lists keys as ListObjectsV2 does. */
    list: (bucket: string, query: KeysQuery) => listKeys(store.records, bucket, query),
    /** Yields all versions of all objects as ListObjectVersions orders them, without delete markers. */
    async *versions(bucket: string): AsyncGenerator<ListedVersion> {
      for (const object of store.records.versionsFrom(bucket, Buffer.alloc(0), Number.MAX_SAFE_INTEGER)) {
        if (object.isMarker) continue
        const isLatest = store.records.latest(bucket, object.key)?.id === object.id
        yield { ...(await readRecent(object)), isLatest, tags: object.tags }
      }
    },
    /** Removes the former versions under a prefix, and returns them. Memory stays flat while thousands of shows run. */
    async takeFormerVersions(bucket: string, prefix: string): Promise<StoredVersion[]> {
      const under = store.records.versionsUnder(bucket, prefix)
      const former = under.filter(({ key }, index) => under[index - 1]?.key === key)
      const taken: StoredVersion[] = []
      for (const version of former) taken.push(recent.get(version.id) ?? (await readVersion(version)))
      store.change(former, () => former.forEach((version) => void store.records.removeObject(version)))
      former.forEach(({ id }) => void forget(id))
      return taken
    },
  }
}

/** Joins chunks in new memory: a part of Node's pool that is kept would keep 64 KiB. */
function ownCopyOf(chunks: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.alloc(chunks.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const headOf = (object: ObjectRecord): StoredHead => ({
  key: object.key,
  versionId: versionIdOf(object),
  etag: `"${object.etag}"`,
  size: object.size,
})
