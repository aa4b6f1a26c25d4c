import { eventOfPublication } from '../../lib/events/owner-event-contents.ts'
import { carryCaptions } from '../../lib/publish/carry-captions.ts'
import { rolesOf } from '../../lib/publish/manifest/formats.ts'
import type { FileRole, Manifest, MissingFormat } from '../../lib/publish/manifest/manifest.ts'
import { tagsFor } from '../../lib/publish/manifest/retention.ts'
import { originOf, unknownOrigin } from '../../lib/publish/origin.ts'
import { isUnacceptedReplacement, reasonsToWithhold } from '../../lib/publish/withholding.ts'
import type { Services } from '../../lib/services.ts'
import { parseArchiveKey } from '../../lib/show/state/keys.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import { describeStateError } from '../../lib/tasks/state-errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { taskHandler } from '../middleware/task.ts'

type Input = TaskInput<'writeManifest'>

export async function writeManifest(
  input: Input,
  services: Services,
  log: Pick<Log, 'error'>,
): Promise<TaskOutput<'writeManifest'>> {
  const { key, etag, stage } = input
  const { records, storage } = services
  const archiveId = parseArchiveKey(key)?.archiveId
  if (!archiveId) throw new TaskInputError(`${key} is not the key of an archive.`)
  const found = await foundOut(archiveId, input, services)
  /** Nothing of another file is kept. */
  const ofSameFile = (earlier: Manifest | undefined) => (earlier?.source.etag === etag ? earlier : undefined)
  // One whose source is gone was deleted: nothing brings it back.
  const isCurrent = async () => (await storage.etagOf(key)) === etag
  // Whoever watches what was published before goes on until all of what replaces it is there.
  const before = await records.readManifestIfOwn(archiveId)
  if (stage === 'ready' && ofSameFile(before)?.status === 'complete') return before as Manifest
  // Whether it may take a published file's place is known once it is hashed.
  if (stage === 'ready' && isUnacceptedReplacement(etag, before) && reasonsToWithhold(input, before).length === 0)
    return { archiveId, status: 'ready' }
  const change = async (earlier: Manifest | undefined) => {
    const differences = reasonsToWithhold(input, earlier)
    if (earlier && differences.length > 0) return withhold(earlier, differences, input, { ...found, storage })
    const document = documentOf(archiveId, ofSameFile(earlier), input, found)
    return carryCaptions(asRevoked(document, earlier?.epoch), storage)
  }
  const document = await records.changeManifest(archiveId, change, isCurrent)
  if (!document) return { archiveId, status: 'replaced' }
  if (document.source.etag !== etag) {
    log.error('withheld', { archiveId, differences: document.withheld?.differences })
    return { archiveId, status: 'withheld', message: document.withheld?.differences.join(' ') }
  }
  if (document.keepDays) await storage.tag(key, tagsFor(document.keepDays))
  await tell(document, input, services)
  // A rebuild that fails takes nothing away of what was there; the owner is notified that it failed all the same.
  return input.failure ? { ...document, status: 'failed' } : document
}

/** The manifest as it was, with the file that waits for an operator beside it. */
async function withhold(
  earlier: Manifest,
  differences: string[],
  { key, etag, hashes }: Input,
  { now, size, storage }: { now: string; size: number; storage: Services['storage'] },
): Promise<Manifest> {
  const { source, withheld } = earlier
  const findVersion = async () => (await storage.versionsOf(key)).find((one) => one.etag === source.etag)?.versionId
  const versionId = source.versionId ?? (await findVersion())
  const since = withheld?.etag === etag ? withheld.since : now
  return {
    ...earlier,
    source: { ...source, ...(versionId && { versionId }) },
    withheld: { etag, size, sha256: hashes?.sha256 ?? null, since, differences },
  }
}

/** A recording whose links were revoked stays private, whatever its show asked for and whichever file it is. */
const asRevoked = (document: Manifest, epoch: number | undefined): Manifest =>
  epoch === undefined ? document : { ...document, access: 'signed', epoch }

/** What has to be asked for before a manifest can be written. */
async function foundOut(archiveId: string, { key, etag, inspection }: Input, services: Services) {
  const head = await services.storage.headOf(key)
  return {
    versionId: head?.etag === etag ? head.versionId : undefined,
    now: new Date(services.clock.now()).toISOString(),
    tools: JSON.parse(services.variable('TOOLS')) as Record<string, string>,
    size: inspection?.size ?? head?.size ?? 0,
    ...(inspection ?? (await wishesFor(archiveId, services))),
  }
}

function documentOf(
  archiveId: string,
  earlier: Manifest | undefined,
  input: Input,
  found: Awaited<ReturnType<typeof foundOut>>,
): Manifest {
  const { show, access, keepDays, now, size, versionId } = found
  const { key, etag, stage, inspection, hashes, failure } = input
  const missing = missingOf(input, earlier)
  const said = failure
    ? [describeStateError(failure)]
    : [...differencesOf(input), ...missing.map(({ problem }) => problem)]
  const message = said.join(' ')
  const loudness = input.loudness ?? earlier?.loudness
  return {
    version: 1,
    archiveId,
    createdAt: inspection?.record?.createdAt ?? now,
    ...(show && { show }),
    status: failure ? (earlier?.status === 'complete' ? 'complete' : 'failed') : stage,
    access,
    ...(keepDays && { keepDays }),
    ...(message && { message }),
    publications: publicationsOf(input, earlier, { at: now, ...(message && { message }) }),
    ...(missing.length > 0 && { missing }),
    source: {
      key,
      etag,
      ...(versionId && { versionId }),
      size,
      sha256: hashes?.sha256 ?? earlier?.source.sha256 ?? null,
    },
    ...(inspection && inspection.streams.length > 0 && { streams: inspection.streams }),
    ...(inspection?.facts ?? { duration: null, video: null, audio: null }),
    ...(loudness !== undefined && { loudness }),
    tools: { ...earlier?.tools, ...found.tools, ...(input.ffmpeg && { ffmpeg: input.ffmpeg }) },
    files: filesOf(input, earlier),
  }
}

/** An owner is interested in the latest; each has at most two of one execution. */
const MAX_PUBLICATIONS = 20

type Publication = NonNullable<Manifest['publications']>[number]

const outcomeOf = ({ stage, failure }: Input): Publication['status'] => (failure ? 'failed' : stage)

const isOf = (input: Input) => (publication: Publication) =>
  publication.executionName === input.executionName && publication.status === outcomeOf(input)

function publicationsOf(
  input: Input,
  earlier: Manifest | undefined,
  said: { readonly at: string; readonly message?: string },
) {
  const before = earlier?.publications ?? []
  if (before.some(isOf(input))) return before // a task that is repeated keeps the time of its first run
  const publication = { executionName: input.executionName, status: outcomeOf(input), ...said }
  return [...before, publication].slice(-MAX_PUBLICATIONS)
}

/** The platform's own hash comes with the record, where it sends one; ours is known last. */
function differencesOf({ inspection, hashes }: Input): string[] {
  const told = inspection?.record?.sha256sum
  const isOther = told && hashes && Buffer.from(told, 'base64').toString('hex') !== hashes.sha256
  return [
    ...(inspection?.differences ?? []),
    ...(isOther ? ['Its SHA-256 is not the one that the platform says.'] : []),
  ]
}

/** What could not be made this time, and of what was not tried what could not be made before. */
function missingOf({ inspection, failure, missing }: Input, earlier: Manifest | undefined): MissingFormat[] {
  const before = earlier?.missing ?? []
  if (failure) return before
  const wanted = inspection?.formats ?? []
  return [
    ...before.filter(({ format }) => !wanted.includes(format)),
    ...missing.filter(({ format }) => wanted.includes(format)),
  ]
}

/** What was made this time in the place of what was there of the same formats; when that failed, what was there. */
function filesOf({ inspection, files, missing, hashes, failure }: Input, earlier: Manifest | undefined) {
  const before = earlier?.files ?? []
  if (failure) return before
  const made = inspection?.formats.filter((format) => !missing.some((one) => one.format === format)) ?? []
  const replaced = new Set<FileRole>([...made.flatMap((format) => rolesOf[format]), ...files.map(({ role }) => role)])
  /** A composite streams as it is. */
  const shaOf = (key: string) =>
    [...files, ...before].find((file) => file.role === 'composite' && file.key === key)?.sha256
  const hashed = files.map((file) =>
    file.role === 'faststart' ? { ...file, sha256: shaOf(file.key) ?? hashes?.faststartSha256 ?? null } : file,
  )
  return [...before.filter(({ role }) => !replaced.has(role)), ...hashed]
}

/** What could not be inspected is told of all the same, also when that was the platform's fault. */
async function wishesFor(archiveId: string, services: Services) {
  const { show = null, order } = await originOf(archiveId, services).catch(() => unknownOrigin)
  return { show, access: order.access, keepDays: order.keepDays ?? null }
}

async function tell(manifest: Manifest, input: Input, services: Services) {
  const { show, publications = [] } = manifest
  const publication = publications.find(isOf(input))
  if (!publication) return
  const request = show && (await services.records.readRequest(show.showId))
  const event = eventOfPublication(manifest, publication, request?.show.labels)
  await services.events.tell({ ...event, callback: request?.show.callback !== undefined })
}

export const handler = taskHandler('writeManifest', writeManifest)
