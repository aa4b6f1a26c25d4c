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

/** Creates a platform with lists and reads of archives and broadcasts only. It counts calls, and each takes a while. */
export function createModelledPlatform(clock: Clock) {
  const archives: Resource[] = []
  const broadcasts: Resource[] = []
  let calls = 0
  const call = async <T>(answer: () => T): Promise<T> => {
    calls++
    await clock.sleep(LATENCY)
    return answer()
  }
  const list = (all: () => readonly Resource[]) => (request: ListRequest) =>
    call(() => {
      const { sessionId, count, offset = 0 } = request
      const found = all().filter((one) => sessionId === undefined || one.sessionId === sessionId)
      const items = found.toReversed().slice(offset, offset + count)
      return { count: found.length, items: items.map((one) => ({ ...one })) }
    })
  const get = (all: readonly Resource[], id: string) => call(() => ({ ...all.find((one) => one.id === id) }))
  const client = {
    listArchives: list(() => archives),
    listBroadcasts: list(() => broadcasts.filter(({ status }) => status === 'started')),
    getArchive: ({ archiveId }: { archiveId: string }) => get(archives, archiveId),
    getBroadcast: ({ broadcastId }: { broadcastId: string }) => get(broadcasts, broadcastId),
  }
  return {
    client: client as unknown as PlatformClient,
    calls: () => calls,
    addArchive(sessionId: string, tag: string): Resource {
      const id = `archive-${archives.length}`
      const archive = { id, sessionId, multiArchiveTag: tag, createdAt: clock.now(), status: 'started', reason: '' }
      archives.push(archive)
      return archive
    },
    addBroadcast(sessionId: string, tag: string): Resource {
      const urls = { hls: 'https://cdn.example.com/live.m3u8', hlsStatus: 'live' }
      const id = `broadcast-${broadcasts.length}`
      const status = 'started'
      const broadcast = { id, sessionId, multiBroadcastTag: tag, createdAt: clock.now(), status, broadcastUrls: urls }
      broadcasts.push(broadcast)
      return broadcast
    },
    /** Ends an archive unexpectedly. */
    break: (archive: Resource) => {
      archive.status = 'failed'
    },
  }
}
