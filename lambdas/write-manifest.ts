import { originOf, unknownOrigin } from '../lib/services/publishing.ts'
import type { Services } from '../lib/services/services.ts'
import type { FileRole, Manifest } from '../lib/workflow/documents/manifest.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { inWords } from '../lib/workflow/failures.ts'
import { rolesOf } from '../lib/workflow/formats.ts'
import { keys, parseArchiveKey } from '../lib/workflow/keys.ts'
import { keepDays } from '../lib/workflow/orders/publishing.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { ownTools } from '../lib/workflow/tools.ts'
import { taskHandler } from './middleware/task.ts'

type Input = TaskInput<'writeManifest'>

export async function writeManifest(input: Input, services: Services): Promise<TaskOutput<'writeManifest'>> {
  const { key, etag, stage } = input
  const { records, storage } = services
  const archiveId = parseArchiveKey(key)?.archiveId
  if (!archiveId) throw new TaskInputError(`${key} is not the key of an archive.`)
  const earlier = await earlierOf(archiveId, input, services)
  // Whoever watches what was published before goes on until all of what replaces it is there.
  if (stage === 'ready' && earlier?.status === 'complete') return earlier
  const document = await documentOf(archiveId, earlier, input, services)
  // One whose source is gone was deleted: nothing brings it back.
  const isCurrent = async () => (await storage.etagOf(key)) === etag
  if (!(await records.writeManifest(document, isCurrent))) return { archiveId, status: 'replaced' }
  if (document.keepDays) await storage.tag(key, tagsFor(document.keepDays))
  for (const gone of supersededBy(document, earlier)) await storage.tag(gone, tagsFor(SHORTEST_KEPT))
  // A rebuild that fails takes nothing away of what was there; that it failed is told all the same.
  const outcome: Manifest = input.failure ? { ...document, status: 'failed' } : document
  await tell(outcome, input, services)
  return outcome
}

/** Days: links to what is no longer published end long before. */
const SHORTEST_KEPT = keepDays[0]

/** Keys of files that were made for the manifest before and are in this one no more. */
function supersededBy({ archiveId, files }: Manifest, earlier: Manifest | undefined): string[] {
  const kept = new Set(files.map((file) => file.key))
  const before = earlier?.files.map((file) => file.key) ?? []
  return before.filter((one) => !kept.has(one) && one.startsWith(keys.recording(archiveId)))
}

/** What is published of the same file already; undefined when that was another one. */
async function earlierOf(archiveId: string, { etag }: Input, { records }: Services): Promise<Manifest | undefined> {
  const earlier = await records.readManifest(archiveId)
  return earlier?.source.etag === etag ? earlier : undefined
}

async function documentOf(
  archiveId: string,
  earlier: Manifest | undefined,
  input: Input,
  services: Services,
): Promise<Manifest> {
  const { key, etag, stage, inspection, hashes, failure } = input
  const { show, access, keepDays } = inspection ?? (await wishesFor(archiveId, services))
  const message = failure ? inWords(failure) : inspection?.differences.join(' ')
  const loudness = input.loudness ?? earlier?.loudness
  return {
    version: 1,
    archiveId,
    createdAt: inspection?.record?.createdAt ?? new Date(services.clock.now()).toISOString(),
    ...(show && { show }),
    status: failure ? (earlier?.status === 'complete' ? 'complete' : 'failed') : stage,
    access,
    ...(keepDays && { keepDays }),
    ...(message && { message }),
    source: {
      key,
      etag,
      size: inspection?.size ?? (await services.storage.sizeOf(key)) ?? 0,
      sha256: hashes?.sha256 ?? earlier?.source.sha256 ?? null,
    },
    ...(inspection && inspection.streams.length > 0 && { streams: inspection.streams }),
    ...(inspection?.facts ?? { duration: null, video: null, audio: null }),
    ...(loudness !== undefined && { loudness }),
    tools: { ...earlier?.tools, ...ownTools, ...(input.ffmpeg && { ffmpeg: input.ffmpeg }) },
    files: filesOf(input, earlier),
  }
}

/** What was made this time in the place of what was there of the same formats; when that failed, what was there. */
function filesOf({ inspection, files, hashes, failure }: Input, earlier: Manifest | undefined): Manifest['files'] {
  const before = earlier?.files ?? []
  if (failure) return before
  const replaced = new Set<FileRole>(inspection?.formats.flatMap((format) => rolesOf[format]))
  /** A composite streams as it is. */
  const shaOf = (key: string) => files.find((file) => file.role === 'composite' && file.key === key)?.sha256
  const made = files.map((file) =>
    file.role === 'streamable' ? { ...file, sha256: shaOf(file.key) ?? hashes?.streamableSha256 ?? null } : file,
  )
  return [...before.filter(({ role }) => !replaced.has(role)), ...made]
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
