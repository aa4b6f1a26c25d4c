import { type Archive, type archiveOperations, archiveReasons } from '../../../lib/platform/contract/archives.ts'
import { admitSession, admitTag } from '../admission.ts'
import { isUuid } from '../ids.ts'
import { refuseNotYet, refuseUndrawnLayout } from '../not-yet.ts'
import type { ArchiveRecord } from '../records.ts'
import { Refusal } from '../refusal.ts'
import type { Handlers, Platform } from './handler.ts'

export function archiveHandlers(platform: Platform): Handlers<keyof typeof archiveOperations> {
  const { store, ids, attendance, recordings, downloadUrl } = platform

  const show = (archive: ArchiveRecord) =>
    showArchive(archive, archive.status === 'available' ? downloadUrl(archive.id) : null)

  /** @throws Refusal with what the operation answers to an unknown id */
  function find(apiKey: string, id: string, unknown: 400 | 404): ArchiveRecord {
    if (!isUuid(id)) throw new Refusal(400, 'The archive id is invalid.')
    const archive = store.archives.get(id)
    if (archive?.projectId !== apiKey) throw new Refusal(unknown, 'Archive not found')
    return archive
  }

  return {
    async startArchive({ apiKey, body }) {
      if (body.outputMode === 'individual') refuseNotYet('individualArchives')
      if (body.streamMode === 'manual') refuseNotYet('manualStreams')
      const { sessionId, multiArchiveTag: tag, name, hasAudio, hasVideo } = body
      const { layout = { type: 'bestFit' as const }, resolution = '640x480' as const } = body
      refuseUndrawnLayout(layout)
      admitSession(store, attendance, apiKey, sessionId)
      admitTag('multiArchiveTag', tag, recordings.running(sessionId))
      const described = { sessionId, name, tag, hasAudio, hasVideo, layout, resolution }
      return show(await recordings.start({ id: ids.uuid(), projectId: apiKey, ...described }))
    },
    stopArchive({ apiKey, archiveId }) {
      const { id, status } = find(apiKey, archiveId, 404)
      if (status !== 'started' && status !== 'paused')
        throw new Refusal(409, `The archive is not being recorded: it is ${status}.`)
      return show(recordings.stop(id, archiveReasons.userInitiated))
    },
    listArchives({ apiKey, query: { offset, count, sessionId } }) {
      const status = LISTED
      const { total, items } = store.archives.page({ projectId: apiKey, sessionId, status }, { offset, count })
      return { count: total, items: items.map(show) }
    },
    getArchive: ({ apiKey, archiveId }) => show(find(apiKey, archiveId, 400)),
  }
}

const LISTED = ['available', 'expired', 'failed', 'paused', 'started', 'stopped', 'uploaded'] as const

/** Size and duration are 0 until the file is generated. */
function showArchive(archive: ArchiveRecord, url: string | null): Archive {
  const { id, name, sessionId, projectId, createdAt, updatedAt, hasAudio, hasVideo, resolution } = archive
  return {
    id,
    name,
    sessionId,
    projectId,
    createdAt,
    updatedAt,
    duration: Math.round(archive.file?.seconds ?? 0),
    hasAudio,
    hasVideo,
    outputMode: 'composed',
    resolution,
    streamMode: 'auto',
    multiArchiveTag: archive.tag,
    status: archive.status,
    reason: archive.reason,
    size: archive.file?.size ?? 0,
    url,
    sha256sum: archive.file?.sha256,
  }
}
