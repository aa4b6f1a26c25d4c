import { type archiveOperations, archiveReasons, type SentArchive } from '../../../lib/platform/contract/archives.ts'
import { admitSession, admitTag, readComposition } from '../composed/admission.ts'
import { refuseUndrawable } from '../composed/drawable-layouts.ts'
import { changeChoices, showChoices } from '../composed/stream-selection.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import type { SandboxParts } from '../parts.ts'
import { isUuid, keysOf } from '../state/ids.ts'
import type { ArchiveRecord } from '../state/records.ts'
import type { ArchiveDelivery } from './archive-delivery.ts'
import { outputModeOf } from './archive-files.ts'
import type { Archives } from './archives.ts'

export function archiveHandlers(
  parts: Pick<SandboxParts, 'store' | 'ids' | 'presence'> & {
    archives: Archives
    delivery: Pick<ArchiveDelivery, 'delete'>
    /** Returns a URL at which an available archive's file can be fetched for some time. */
    downloadUrl: (archive: ArchiveRecord) => string
  },
): Handlers<keyof typeof archiveOperations> {
  const { store, ids, archives, delivery, downloadUrl } = parts

  const show = (archive: ArchiveRecord) =>
    showArchive(archive, archive.status === 'available' ? downloadUrl(archive) : null)

  /** @throws {@link Refusal} 400 for a malformed id, and `unknown` for an id of no archive of the project */
  function find(apiKey: string, id: string, unknown: 400 | 404): ArchiveRecord {
    if (!isUuid(id)) throw new Refusal(400, 'The archive id is invalid.')
    const archive = store.archives.get(id)
    if (archive?.projectId !== apiKey) throw new Refusal(unknown, 'Archive not found')
    return archive
  }

  /** @throws {@link Refusal} 404, also for an archive that has stopped */
  function findRunning(apiKey: string, id: string): ArchiveRecord {
    const archive = find(apiKey, id, 404)
    if (!isRunning(archive)) throw new Refusal(404, `Archive not found: it is ${archive.status}.`)
    return archive
  }

  return {
    async startArchive({ apiKey, body }) {
      const { sessionId, multiArchiveTag: tag, name, hasAudio, hasVideo } = body
      const { layout, streams } = readComposition(body)
      const composition = body.outputMode === 'composed' && { layout, resolution: body.resolution ?? '640x480' }
      const { archiveMode } = admitSession(parts, apiKey, sessionId)
      if (archiveMode === 'always' && !tag) throw new Refusal(409, TAG_BESIDE_AUTOMATIC)
      admitTag('multiArchiveTag', tag, archives.running(sessionId))
      const described = { sessionId, name, tag, hasAudio, hasVideo, streams, ...composition }
      return show(await archives.start({ id: ids.uuid(), projectId: apiKey, ...described }))
    },
    stopArchive({ apiKey, archiveId }) {
      const archive = store.archives.get(archiveId) // 404 for a malformed id as well
      if (archive?.projectId !== apiKey) throw new Refusal(404, 'Archive not found')
      if (!isRunning(archive)) throw new Refusal(409, `The archive is not being recorded: it is ${archive.status}.`)
      if (archive.isAutomatic) return show(archive) // an automatic archive continues
      return show(archives.stop(archive.id, archiveReasons.userInitiated))
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
      delivery.delete(id)
      return undefined
    },
    setArchiveLayout({ apiKey, archiveId, body }) {
      refuseUndrawable(body)
      if (outputModeOf(find(apiKey, archiveId, 404)) === 'individual')
        throw new Refusal(400, 'The archive is individual: only a composed one has a layout.')
      archives.setLayout(findRunning(apiKey, archiveId).id, body)
      return undefined
    },
    changeArchiveStreams({ apiKey, archiveId, body }) {
      const archive = findRunning(apiKey, archiveId)
      archives.setStreams(archive.id, changeChoices(store, archive, body))
      return undefined
    },
  }
}

const TAG_BESIDE_AUTOMATIC = 'The session is recorded automatically: another archive needs a multiArchiveTag.'

const isRunning = ({ status }: ArchiveRecord) => status === 'started' || status === 'paused'

const LISTED = ['available', 'expired', 'failed', 'paused', 'started', 'stopped', 'uploaded'] as const

/** Returns an archive in the form of the wire. Its size and duration are 0 until the file is made. */
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
