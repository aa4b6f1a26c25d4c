import { originOf, unknownOrigin } from '../lib/services/publishing.ts'
import type { Services } from '../lib/services/services.ts'
import type { Manifest } from '../lib/workflow/documents/manifest.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { inWords } from '../lib/workflow/failures.ts'
import { parseArchiveKey } from '../lib/workflow/keys.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

type Input = TaskInput<'writeManifest'>

export async function writeManifest(input: Input, services: Services): Promise<TaskOutput<'writeManifest'>> {
  const { key, etag } = input
  const { records, storage } = services
  const archiveId = parseArchiveKey(key)?.archiveId
  if (!archiveId) throw new TaskInputError(`${key} is not the key of an archive.`)
  const document = await documentOf(archiveId, input, services)
  // One whose source is gone was deleted: nothing brings it back.
  const isCurrent = async () => (await storage.etagOf(key)) === etag
  if (!(await records.writeManifest(document, isCurrent))) return { archiveId, status: 'replaced' }
  if (document.keepDays) await storage.tag(key, tagsFor(document.keepDays))
  await tell(document, input, services)
  return document
}

async function documentOf(archiveId: string, input: Input, services: Services): Promise<Manifest> {
  const { key, inspection, sha256, files, failure } = input
  const { show, access, keepDays } = inspection ?? (await wishesFor(archiveId, services))
  const message = failure ? inWords(failure) : inspection?.differences.join(' ')
  return {
    version: 1,
    archiveId,
    createdAt: inspection?.record?.createdAt ?? new Date(services.clock.now()).toISOString(),
    ...(show && { show }),
    status: failure ? 'failed' : 'complete',
    access,
    ...(keepDays && { keepDays }),
    ...(message && { message }),
    source: { key, size: inspection?.size ?? (await services.storage.sizeOf(key)) ?? 0, sha256 },
    ...(inspection?.facts ?? { duration: null, video: null, audio: null }),
    files: failure ? [] : files,
  }
}

/** What could not be inspected is told of all the same, also when that was the platform's fault. */
async function wishesFor(archiveId: string, services: Services) {
  const { show = null, order } = await originOf(archiveId, services).catch(() => unknownOrigin)
  return { show, access: order.access, keepDays: order.keepDays ?? null }
}

async function tell({ archiveId, show, status, message }: Manifest, { executionName }: Input, services: Services) {
  const request = show && (await services.records.readRequest(show.showId))
  const about = show ? [show.showId, 'recording.published', show.name, show.part] : [archiveId, 'recording.published']
  await services.events.tell({
    id: [...about, executionName, status].join('/'), // a publish that has failed may succeed when it is tried again
    event: 'recording.published',
    at: new Date(services.clock.now()).toISOString(),
    ...show,
    archiveId,
    status,
    ...(message && { reason: message }),
    ...(request && { labels: request.show.labels }),
    callback: request?.show.callback !== undefined,
  })
}

export const handler = taskHandler('writeManifest', writeManifest)
