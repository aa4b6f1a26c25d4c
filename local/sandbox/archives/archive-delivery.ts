import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { UploadTarget } from '../../../lib/platform/contract/upload-targets.ts'
import type { SandboxParts } from '../parts.ts'
import type { ArchiveRecord } from '../state/records.ts'
import { fileOf } from './archive-files.ts'
import { type AzureFetch, putBlob } from './azure-blobs.ts'
import { type HttpHandler, isWorthRetrying, uploadFile } from './upload.ts'

/** Delivery of stopped archives whose files are kept: uploaded, available and later expired, or failed. */
export type ArchiveDelivery = ReturnType<typeof createArchiveDelivery>

/** Waits before the second and every further attempt, in ms. */
const RETRY_WAITS = [1_000, 5_000, 15_000]

export function createArchiveDelivery(
  parts: Pick<SandboxParts, 'store' | 'clock' | 'timers' | 'background' | 'transitions' | 'files' | 'faults'> & {
    uploadHandler?: HttpHandler | undefined
    azureFetch?: AzureFetch | undefined
  },
) {
  const { store, clock, timers, transitions, files, background, faults, uploadHandler, azureFetch = fetch } = parts

  const attempt = (archive: ArchiveRecord, target: UploadTarget) => {
    const { id, projectId, file } = archive
    const { name, type } = fileOf(archive)
    const upload = { key: `${projectId}/${id}/${name}`, type, body: files.open(id), now: clock.now() }
    const { signal } = background
    return target.type === 's3'
      ? uploadFile({ ...upload, target, handler: uploadHandler, signal })
      : putBlob({ ...upload, target, size: file?.size ?? 0, fetch: azureFetch, signal })
  }

  /** Reads the target before each attempt: a new one applies to everything that is not uploaded yet. */
  async function upload(archive: ArchiveRecord): Promise<'uploaded' | 'available' | 'failed'> {
    for (let attempts = 0; ; attempts++) {
      const target = store.projects.get(archive.projectId)?.uploadTarget
      if (!target) return 'available'
      background.signal.throwIfAborted()
      try {
        await attempt(archive, target)
        return 'uploaded'
      } catch (error) {
        background.signal.throwIfAborted()
        const wait = RETRY_WAITS[attempts]
        if (wait === undefined || !isWorthRetrying(error)) return target.fallback === 'opentok' ? 'available' : 'failed'
        await background.sleep(wait)
      }
    }
  }

  /** Uploads an archive, under the fault that is ordered for uploads. */
  async function uploadUnderFaults(archive: ArchiveRecord): Promise<'uploaded' | 'available' | 'failed'> {
    const target = store.projects.get(archive.projectId)?.uploadTarget
    const fault = target && faults.takeForUpload()
    if (fault?.type === 'slowUpload') await background.sleep(fault.ms)
    if (fault?.type === 'failUpload') return target?.fallback === 'opentok' ? 'available' : 'failed'
    return upload(archive)
  }

  /** Starts the timer that expires an available archive. */
  const awaitExpiry = ({ id, availableUntil = clock.now() }: ArchiveRecord) =>
    timers.set(id, 'expiry', availableUntil, () => {
      transitions.archives.move(id, 'expired', { availableUntil: undefined })
      background.run(() => files.discard(id))
    })

  return {
    awaitExpiry,
    /** Deletes an available or uploaded archive, and its file if it is kept here. */
    delete(archiveId: string): void {
      timers.cancel(archiveId, 'expiry')
      transitions.archives.move(archiveId, 'deleted', { availableUntil: undefined })
      background.run(() => files.discard(archiveId))
    },
    async deliver(archive: ArchiveRecord): Promise<void> {
      const outcome = await uploadUnderFaults(archive)
      if (outcome === 'available') {
        const availableUntil = clock.now() + limits.archiveAvailability.value * 1000
        awaitExpiry(transitions.archives.move(archive.id, 'available', { availableUntil }))
        return
      }
      const changes = outcome === 'failed' ? { reason: archiveReasons.failure } : {}
      transitions.archives.move(archive.id, outcome, changes)
      await files.discard(archive.id)
    },
  }
}
