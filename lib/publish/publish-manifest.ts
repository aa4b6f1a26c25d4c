import { eventOfPublication } from '../events/owner-event-contents.ts'
import { readDeletion } from '../records/deletion-records.ts'
import type { Services, TaskRun } from '../services.ts'
import { pageOf } from '../show/document/page.ts'
import { retriesOf } from '../tasks/retries.ts'
import type { TaskInput } from '../tasks/tasks.ts'
import { carryCaptions } from './carry-captions.ts'
import { failQueuedClips, releaseQueuedClips } from './clips/queued-clips.ts'
import { type Manifest, tagsFor } from './manifest/manifest.ts'
import { type Findings, isPublicationOf, manifestOf } from './manifest-document.ts'
import { archiveIdIn, originOf, unknownOrigin } from './origin.ts'
import { isUnacceptedReplacement, reasonsToWithhold } from './withholding.ts'

type Input = TaskInput<'writeManifest'>

/**
 * Writes the manifest of a recording and notifies its owner. A file that differs from the platform's record and would replace a
 * published one is withheld instead.
 * @throws {@link TaskInputError} when the key is not that of an archive
 */
export const publishManifest: TaskRun<'writeManifest'> = async (services, input, log) => {
  const { key, etag, stage } = input
  const { records, storage } = services
  const archiveId = archiveIdIn(key)
  const findings = await find(archiveId, input, services)
  /** Keeps nothing of another file. */
  const ofSameFile = (earlier: Manifest | undefined) => (earlier?.source.etag === etag ? earlier : undefined)
  // A deleted recording must not be published again. Its source is gone; after an interrupted deletion only its record shows that.
  const isCurrent = async () => (await storage.etagOf(key)) === etag && !(await readDeletion(storage, archiveId))
  // Viewers of a complete recording keep it until everything that replaces it is there.
  const before = await records.readManifestIfOwn(archiveId)
  if (stage === 'ready' && ofSameFile(before)?.status === 'complete') return before as Manifest
  // The hashes, which decide whether this file may replace the published one, are only known at stage `complete`.
  if (stage === 'ready' && isUnacceptedReplacement(etag, before) && reasonsToWithhold(input, before).length === 0)
    return { archiveId, status: 'ready' }
  const change = async (earlier: Manifest | undefined) => {
    const differences = reasonsToWithhold(input, earlier)
    if (earlier && differences.length > 0) return withhold(earlier, differences, input, findings, storage)
    const document = manifestOf(archiveId, ofSameFile(earlier), input, findings)
    return carryCaptions(keepRevoked(document, earlier?.epoch), storage)
  }
  const document = await records.changeManifest(archiveId, change, isCurrent)
  if (!document) return { archiveId, status: 'replaced' }
  if (document.source.etag !== etag) {
    log.error('withheld', { archiveId, differences: document.withheld?.differences })
    return { archiveId, status: 'withheld', message: document.withheld?.differences.join(' ') }
  }
  if (document.keepDays) await storage.tag(key, tagsFor(document.keepDays))
  await notify(document, input, services)
  await settleQueuedClips(document, input, services)
  // A rebuild that fails leaves what was published; the owner is notified of the failure all the same.
  return input.failure ? { ...document, status: 'failed' } : document
}

/** Returns the manifest unchanged but for the withheld file, which waits for an operator. */
async function withhold(
  earlier: Manifest,
  differences: string[],
  { key, etag, hashes }: Input,
  { now, size }: Findings,
  storage: Services['storage'],
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

/** A recording whose links were revoked stays private, for every later file and publish. */
const keepRevoked = (document: Manifest, epoch: number | undefined): Manifest =>
  epoch === undefined ? document : { ...document, access: 'signed', epoch }

async function find(archiveId: string, input: Input, services: Services): Promise<Findings> {
  const { key, etag, inspection } = input
  const head = await services.storage.headOf(key)
  const { show, access, keepDays } = inspection ?? (await orderOf(archiveId, input, services))
  const request = show && (await services.records.readRequest(show.showId))
  return {
    versionId: head?.etag === etag ? head.versionId : undefined,
    now: new Date(services.clock.now()).toISOString(),
    tools: JSON.parse(services.variable('TOOLS')) as Record<string, string>,
    size: inspection?.size ?? head?.size ?? 0,
    ...{ show, access, keepDays },
    ...(request && { page: pageOf(request.show) }),
  }
}

/**
 * Finds the owner of a recording that could not be inspected. While the platform does not answer, the task is retried. Its last
 * attempt publishes the failure for the show of the earlier manifest, or for none.
 */
async function orderOf(archiveId: string, { retryCount = Number.POSITIVE_INFINITY }: Input, services: Services) {
  const { show = null, order } = await originOf(archiveId, services).catch(async (error: Error) => {
    const retry = retriesOf('writeManifest').find(({ ErrorEquals: names }) => names.some((name) => name === error.name))
    if (retry && retryCount < retry.MaxAttempts) throw error
    const earlier = await services.records.readManifestIfOwn(archiveId)
    return earlier ? { show: earlier.show, order: earlier } : unknownOrigin
  })
  return { show, access: order.access, keepDays: order.keepDays ?? null }
}

/** Has the clips cut that waited for the recording, as soon as it has HLS. */
async function settleQueuedClips(document: Manifest, { stage, failure }: Input, services: Services): Promise<void> {
  if (!document.show || failure?.Error === 'Lambda.TooManyRequestsException') return // another execution publishes it
  if (document.status === 'failed')
    return failQueuedClips(document.archiveId, 'The recording could not be published.', services)
  if (stage === 'complete' || document.files.some(({ role }) => role === 'hls'))
    await releaseQueuedClips(document, services)
}

async function notify(manifest: Manifest, input: Input, services: Services) {
  const { show, publications = [] } = manifest
  const publication = publications.find(isPublicationOf(input))
  if (!publication) return
  const request = show && (await services.records.readRequest(show.showId))
  const event = eventOfPublication(manifest, publication, request?.show.labels)
  await services.events.publish({ ...event, callback: request?.show.callback !== undefined })
}
