import type { Services } from '../lib/services/services.ts'
import type { Manifest } from '../lib/workflow/documents/manifest.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { inWords } from '../lib/workflow/failures.ts'
import { parseArchiveKey } from '../lib/workflow/keys.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function writeManifest(
  { key, etag, inspection, sha256, files, failure }: TaskInput<'writeManifest'>,
  { records, storage, events, clock }: Services,
): Promise<TaskOutput<'writeManifest'>> {
  const archiveId = parseArchiveKey(key)?.archiveId
  if (!archiveId) throw new TaskInputError(`${key} is not the key of an archive.`)
  const message = failure ? inWords(failure) : inspection?.differences.join(' ')
  const document: Manifest = {
    version: 1,
    archiveId,
    createdAt: inspection?.record?.createdAt ?? new Date(clock.now()).toISOString(),
    status: failure ? 'failed' : 'complete',
    ...(message && { message }),
    source: { key, size: inspection?.size ?? (await storage.sizeOf(key)) ?? 0, sha256 },
    ...(inspection?.facts ?? { duration: 0, video: null, audio: null }),
    files: failure ? [] : files,
  }
  await records.writeManifest(document)
  const { status } = document
  await events.tell({ kind: 'recording.published', id: `${archiveId}/${etag}`, detail: { archiveId, status } })
  return document
}

export const handler = taskHandler('writeManifest', writeManifest)
