import { showArchive } from '../archives/archive-handlers.ts'
import { showBroadcast } from '../broadcasts/broadcast-handlers.ts'
import type { SandboxParts } from '../parts.ts'
import type { ArchiveRecord, BroadcastRecord, ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { Announce } from './announcements.ts'

/** Subscribes the callbacks of archives, broadcasts, clients and streams. Calls and composers announce their own changes. */
export function subscribeChangeCallbacks(
  parts: Pick<SandboxParts, 'store' | 'transitions' | 'presence' | 'now' | 'publicUrl'> & {
    announce: Announce
    downloadUrl: (archive: ArchiveRecord) => string
  },
): void {
  const { store, now, transitions, presence, announce, publicUrl, downloadUrl } = parts

  transitions.archives.listen((archive) =>
    announce('archive', describeArchive(archive, archive.status === 'available' ? downloadUrl(archive) : null)),
  )
  const announceBroadcast = (broadcast: BroadcastRecord) =>
    announce('broadcast', describeBroadcast(broadcast, publicUrl()))
  transitions.broadcasts.listen(announceBroadcast)
  transitions.broadcasts.onAmended(announceBroadcast)

  const inSession = (sessionId: string) => {
    const projectId = store.sessions.get(sessionId)?.projectId ?? ''
    return { sessionId, projectId, timestamp: now() }
  }
  // A client's record still exists when its streams end.
  const describeStream = ({ id, name, videoType, createdAt, connectionId }: StreamRecord) => {
    const connection = store.connections.get(connectionId)
    return { id, name, videoType, createdAt, ...(connection && { connection: describeConnection(connection) }) }
  }
  presence.listen({
    onJoined(client) {
      const connection = describeConnection(client)
      announce('connection', { ...inSession(client.sessionId), event: 'connectionCreated', connection })
    },
    onLeft(client, reason) {
      const connection = describeConnection(client)
      announce('connection', { ...inSession(client.sessionId), event: 'connectionDestroyed', connection, reason })
    },
    onPublished(published) {
      const stream = describeStream(published)
      announce('stream', { ...inSession(published.sessionId), event: 'streamCreated', stream })
    },
    onUnpublished(published, reason) {
      const stream = describeStream(published)
      announce('stream', { ...inSession(published.sessionId), event: 'streamDestroyed', stream, reason })
    },
  })
}

const describeConnection = ({ id, createdAt, data }: ConnectionRecord) => ({ id, createdAt, data })

function describeArchive(archive: ArchiveRecord, url: string | null) {
  const shown = showArchive(archive, url)
  const { id, status, name, reason, sessionId, projectId, partnerId, createdAt, size, duration, ...rest } = shown
  const { outputMode, hasAudio, hasVideo, sha256sum } = rest
  const what = { id, event: 'archive', status, name, reason, sessionId, projectId, partnerId } as const
  const when = { createdAt, updatedAt: archive.updatedAt }
  return { ...what, ...when, size, duration, outputMode, hasAudio, hasVideo, sha256sum, url }
}

const describeBroadcast = (broadcast: BroadcastRecord, publicUrl: string) =>
  ({ ...showBroadcast(broadcast, publicUrl), event: 'broadcast' }) as const
