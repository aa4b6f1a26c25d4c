import { type archiveOperations, archiveReasons, type SentArchive } from '../../../lib/platform/contract/archives.ts'
import { refuseUndrawable } from '../composed/drawable-layouts.ts'
import { changeChoices, showChoices } from '../composed/stream-selection.ts'
import type { Handlers, Platform } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import { admitSession, admitTag } from '../participants/admission.ts'
import { isUuid, keysOf } from '../state/ids.ts'
import type { ArchiveRecord } from '../state/records.ts'
import { outputModeOf } from './archive-files.ts'

export function archiveHandlers(platform: Platform): Handlers<keyof typeof archiveOperations> {
  const { store, ids, attendance, recordings, deliveries, downloadUrl } = platform

  const show = (archive: ArchiveRecord) =>
    showArchive(archive, archive.status === 'available' ? downloadUrl(archive) : null)

  /** @throws Refusal with what the operation answers to an unknown id */
  function find(apiKey: string, id: string, unknown: 400 | 404): ArchiveRecord {
    if (!isUuid(id)) throw new Refusal(400, 'The archive id is invalid.')
    const archive = store.archives.get(id)
    if (archive?.projectId !== apiKey) throw new Refusal(unknown, 'Archive not found')
    return archive
  }

  /** @throws Refusal 404 also for one that is over */
  function findRunning(apiKey: string, id: string): ArchiveRecord {
    const archive = find(apiKey, id, 404)
    if (!isRunning(archive)) throw new Refusal(404, `Archive not found: it is ${archive.status}.`)
    return archive
  }

  return {
    async startArchive({ apiKey, body }) {
      const { sessionId, multiArchiveTag: tag, name, hasAudio, hasVideo } = body
      const { layout = { type: 'bestFit' as const }, resolution = '640x480' as const } = body
      refuseUndrawable(layout)
      const composition = body.outputMode === 'composed' && { layout, resolution }
      const streams = body.streamMode === 'manual' ? [] : undefined
      const { archiveMode } = admitSession(store, attendance, apiKey, sessionId)
      if (archiveMode === 'always' && !tag) throw new Refusal(409, TAG_BESIDE_AUTOMATIC)
      admitTag('multiArchiveTag', tag, recordings.running(sessionId))
      const described = { sessionId, name, tag, hasAudio, hasVideo, streams, ...composition }
      return show(await recordings.start({ id: ids.uuid(), projectId: apiKey, ...described }))
    },
    stopArchive({ apiKey, archiveId }) {
      const archive = store.archives.get(archiveId) // 404 for a malformed id as well
      if (archive?.projectId !== apiKey) throw new Refusal(404, 'Archive not found')
      if (!isRunning(archive)) throw new Refusal(409, `The archive is not being recorded: it is ${archive.status}.`)
      if (archive.isAutomatic) return show(archive) // it goes on
      return show(recordings.stop(archive.id, archiveReasons.userInitiated))
    },
    listArchives({ apiKey, query: { offset, count, sessionId } }) {
      const status = LISTED
      const { total, items } = store.archives.page({ projectId: apiKey, sessionId, status }, { offset, count })
      return { count: total, items: items.map(show) }
    },
    getArchive: ({ apiKey, archiveId }) => show(find(apiKey, archiveId, 400)),
    deleteArchive({ apiKey, archiveId }) {
      const archive = store.archives.get(archiveId)
      if (archive?.projectId !== apiKey) throw new Refusal(403, 'There is no such archive.')
      const { id, status } = archive
      if (status === 'deleted') return undefined
      if (status !== 'available' && status !== 'uploaded')
        throw new Refusal(409, `The archive is neither available nor uploaded: it is ${status}.`)
      deliveries.delete(id)
      return undefined
    },
    setArchiveLayout({ apiKey, archiveId, body }) {
      refuseUndrawable(body)
      if (outputModeOf(find(apiKey, archiveId, 404)) === 'individual')
        throw new Refusal(400, 'The archive is individual: only a composed one has a layout.')
      recordings.setLayout(findRunning(apiKey, archiveId).id, body)
      return undefined
    },
    changeArchiveStreams({ apiKey, archiveId, body }) {
      const archive = findRunning(apiKey, archiveId)
      recordings.setStreams(archive.id, changeChoices(store, archive, body))
      return undefined
    },
  }
}

const TAG_BESIDE_AUTOMATIC = 'The session is recorded automatically: an archive beside that needs a multiArchiveTag.'

const isRunning = ({ status }: ArchiveRecord) => status === 'started' || status === 'paused'

const LISTED = ['available', 'expired', 'failed', 'paused', 'started', 'stopped', 'uploaded'] as const

/** Size and duration are 0 until the file is generated. */
export function showArchive(archive: ArchiveRecord, url: string | null): SentArchive {
  const { id, name, sessionId, projectId, createdAt, updatedAt, hasAudio, hasVideo, resolution } = archive
  return {
    id,
    name,
    sessionId,
    ...keysOf(projectId),
    createdAt,
    updatedAt,
    duration: Math.round(archive.file?.seconds ?? 0),
    hasAudio,
    hasVideo,
    outputMode: outputModeOf(archive),
    resolution,
    streamMode: archive.streams ? 'manual' : 'auto',
    multiArchiveTag: archive.tag,
    status: archive.status,
    reason: archive.reason,
    size: archive.file?.size ?? 0,
    url,
    sha256sum: archive.file?.sha256,
    ...(archive.streams && archive.status === 'started' && { streams: showChoices(archive.streams) }),
  }
}
