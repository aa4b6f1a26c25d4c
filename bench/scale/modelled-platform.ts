import type { Clock } from '../../lib/clock.ts'
import type { PlatformClient } from '../../lib/platform/client/client.ts'

/** Milliseconds of one platform call. */
const LATENCY = 150

interface Resource {
  readonly id: string
  readonly sessionId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  status: string
}

interface ListRequest {
  readonly sessionId?: string
  readonly count: number
  readonly offset?: number
}

export type ModelledPlatform = ReturnType<typeof createModelledPlatform>

/** Resources of one kind in the order of their creation, also by their sessions and ids: lists of thousands are read often. */
function createCollection() {
  const all: Resource[] = []
  const bySession = new Map<string, Resource[]>()
  const byId = new Map<string, Resource>()
  return {
    add<Added extends Resource>(resource: Added): Added {
      all.push(resource)
      byId.set(resource.id, resource)
      bySession.set(resource.sessionId, [...(bySession.get(resource.sessionId) ?? []), resource])
      return resource
    },
    get size() {
      return all.length
    },
    get: (id: string) => byId.get(id),
    of: (sessionId: string | undefined): readonly Resource[] =>
      sessionId === undefined ? all : (bySession.get(sessionId) ?? []),
  }
}

/** Creates a platform with lists and reads of archives and broadcasts only. It counts calls, and each takes a while. */
export function createModelledPlatform(clock: Clock) {
  const archives = createCollection()
  const broadcasts = createCollection()
  let calls = 0
  const call = async <T>(answer: () => T): Promise<T> => {
    calls++
    await clock.sleep(LATENCY)
    return answer()
  }
  type Collection = ReturnType<typeof createCollection>
  const list =
    (collection: Collection, isListed: (one: Resource) => boolean) =>
    ({ sessionId, count, offset = 0 }: ListRequest) =>
      call(() => {
        const found = collection.of(sessionId).filter(isListed)
        const end = Math.max(0, found.length - offset) // newest first
        const items = found.slice(Math.max(0, end - count), end).reverse()
        return { count: found.length, items: items.map((one) => ({ ...one })) }
      })
  const get = (collection: Collection, id: string) => call(() => ({ ...collection.get(id) }))
  const client = {
    listArchives: list(archives, () => true),
    listBroadcasts: list(broadcasts, ({ status }) => status === 'started'),
    getArchive: ({ archiveId }: { archiveId: string }) => get(archives, archiveId),
    getBroadcast: ({ broadcastId }: { broadcastId: string }) => get(broadcasts, broadcastId),
  }
  return {
    client: client as unknown as PlatformClient,
    calls: () => calls,
    addArchive(sessionId: string, tag: string): Resource {
      const id = `archive-${archives.size}`
      const createdAt = clock.now()
      return archives.add({ id, sessionId, multiArchiveTag: tag, createdAt, status: 'started', reason: '' })
    },
    addBroadcast(sessionId: string, tag: string): Resource {
      const urls = { hls: 'https://cdn.example.com/live.m3u8', hlsStatus: 'live' }
      const id = `broadcast-${broadcasts.size}`
      const [status, createdAt] = ['started', clock.now()]
      return broadcasts.add({ id, sessionId, multiBroadcastTag: tag, createdAt, status, broadcastUrls: urls })
    },
    /** Ends an archive unexpectedly. */
    break: (archive: Resource) => {
      archive.status = 'failed'
    },
  }
}
