import type { QueryOf } from '../../../lib/api/api.ts'
import { nothing } from '../../../lib/api/queries.ts'
import { findJoined, sourceOf } from '../../../lib/publish/deletion/delete-recording.ts'
import { deleteRecording, restoreRecording } from '../../../lib/publish/deletion/deletion.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { placeOf, readWaiting } from '../../../lib/publish/queue/waiting-publishes.ts'
import { listDeletions, readDeletion } from '../../../lib/records/deletion-records.ts'
import { ForeignKeysError } from '../../../lib/records/foreign-keys.ts'
import type { Page } from '../../../lib/records/records.ts'
import type { Services } from '../../../lib/services.ts'
import { archiveIdPattern, isJoinedId, rebuildExecutionName } from '../../../lib/show/document/fields/names.ts'
import { rebuildOrder } from '../../../lib/show/document/orders/rebuild.ts'
import { indexPrefixes, keys } from '../../../lib/show/state/keys.ts'
import { etagOf } from '../../http/conditional.ts'
import { ApiProblem } from '../../http/problem.ts'
import {
  type Asked,
  archiveIdOf,
  callerOf,
  idempotencyIdOf,
  noRecording,
  ok,
  pageOptionsOf,
  polledAt,
  type Routes,
  readBody,
} from '../../http/request.ts'
import { filteredPage, hasLabel } from '../filtered-page.ts'
import { withLinks, withoutParts } from './links.ts'

/** The routes of recordings, except those of captions and withheld files. */
export const recordingRoutes = {
  /** Lists manifests, newest first, with links and without the files of playlists; or lists deletions. */
  async 'GET /recordings'(event, services, { query, log }) {
    if (query.deleted === 'true') return listDeleted(services.storage, query)
    const { records } = services
    const read = (archiveId: string) =>
      records.readManifest(archiveId).catch((error: unknown) => {
        if (!(error instanceof ForeignKeysError)) throw error
        log.error('manifest refused', { archiveId, error }) // the other recordings are still listed
        return undefined
      })
    const { items: found, cursor } = await listManifests(records, read, query)
    const waiting = await readWaiting(services)
    const places = found.map(({ archiveId }) => placeOf(archiveId, waiting))
    const show = async (manifest: Manifest, index: number) => ({
      ...(await withLinks(withoutParts(manifest), event, services)),
      ...places[index],
    })
    return ok({ items: await Promise.all(found.map(show)), cursor }, 200, versionOf(services, found, cursor, places))
  },

  async 'GET /recordings/{archiveId}'(event, services) {
    const archiveId = archiveIdOf(event)
    const manifest = await services.records.readManifest(archiveId)
    if (!manifest) throw (await deletedRecording(archiveId, services)) ?? noRecording(archiveId)
    const place = placeOf(archiveId, await readWaiting(services))
    return ok({ ...(await withLinks(manifest, event, services)), ...place }, 200, versionOf(services, manifest, place))
  },

  /** Answers the public part of a public recording, without its show. Any other recording is answered as one that does not exist. */
  async 'GET /public/recordings/{archiveId}'(event, services) {
    const archiveId = event.pathParameters?.archiveId ?? ''
    const manifest = archiveIdPattern.test(archiveId) ? await services.records.readManifest(archiveId) : undefined
    if (manifest?.access !== 'public')
      throw new ApiProblem('unknown-recording', 'There is no such recording, or it is not public.')
    const shown = await withLinks(withoutParts(manifest), event, services)
    const { version, createdAt, status, duration, video, audio, watch, source, files } = shown
    return ok({
      ...{ version, archiveId, createdAt, status, duration, video, audio, watch: { url: watch.url } },
      source: { size: source.size, sha256: source.sha256, url: source.url, expiresAt: source.expiresAt },
      files: files.map(({ key: _, ...file }) => file),
    })
  },

  /**
   * Ends every link to the recording, which can be restored for the days of the deployment. With `permanently=true` it deletes
   * every version and the platform's copy at once. A repeated request completes an interrupted one.
   */
  async 'DELETE /recordings/{archiveId}'(event, services, { query: { permanently } }) {
    const archiveId = archiveIdOf(event)
    const days = permanently === 'true' ? 0 : Number(services.variable('UNDELETE_DAYS'))
    const deletion = await deleteRecording(services, archiveId, { by: callerOf(event), days })
    switch (deletion.outcome) {
      case 'deleted': {
        const { objects, purgeAt } = deletion
        return ok({ archiveId, objects, ...(purgeAt && { restorableUntil: purgeAt }) })
      }
      case 'unknown':
        throw noRecording(archiveId)
      case 'at work':
        throw busy(archiveId, deletion.words)
    }
  },

  /** Undoes a deletion. A recording that is not deleted stays as it is. */
  async 'POST /recordings/{archiveId}/restore'(event, services) {
    const archiveId = archiveIdOf(event)
    const restoration = await restoreRecording(services, archiveId)
    switch (restoration.outcome) {
      case 'restored':
        return ok({ archiveId, objects: restoration.objects })
      case 'unknown':
        throw noRecording(archiveId)
      case 'too late':
        throw new ApiProblem('restore-expired', `The recording ${archiveId} ${restoration.words}.`)
      case 'at work':
        throw busy(archiveId, restoration.words)
    }
  },

  /** Ends every link to the watch page, also of the joined recording, and makes a public recording private. */
  async 'POST /recordings/{archiveId}/revoke'(event, { records }) {
    const archiveId = archiveIdOf(event)
    readBody(event, nothing)
    const revoke = (id: string) =>
      records.changeManifest(
        id,
        (earlier) => {
          if (!earlier) throw noRecording(id)
          return { ...earlier, access: 'signed', epoch: (earlier.epoch ?? 0) + 1 }
        },
        async () => true,
      )
    const revoked = await revoke(archiveId)
    const joined = isJoinedId(archiveId) ? undefined : await findJoined(records, archiveId, revoked)
    if (joined?.manifest) await revoke(joined.archiveId)
    return ok({ archiveId, revoked: [archiveId, ...(joined?.manifest ? [joined.archiveId] : [])] })
  },

  async 'POST /recordings/{archiveId}/rebuild'(event, services) {
    const archiveId = archiveIdOf(event)
    const { formats } = readBody(event, rebuildOrder)
    const { withheld } = (await services.records.readManifestIfOwn(archiveId)) ?? {}
    if (withheld && !withheld.acceptedAt)
      throw new ApiProblem('file-withheld', `The file ${withheld.etag} is withheld. Accept or reject it first.`)
    const source = await sourceOf(services, archiveId)
    if (!source) throw noRecording(archiveId)
    if (await readDeletion(services.storage, archiveId))
      throw new ApiProblem(
        'recording-busy',
        `The recording ${archiveId} has a deletion that is not complete. Repeat DELETE /recordings/${archiveId}, or POST /recordings/${archiveId}/restore.`,
      )
    const executionName = rebuildExecutionName(archiveId, idempotencyIdOf(event) ?? services.newId())
    const { bucket } = services.storage
    await services.publishExecutions.start(executionName, { bucket, ...source, ...(formats && { formats }) })
    return ok({ archiveId, executionName }, 202, polledAt(`/recordings/${archiveId}`))
  },
} satisfies Partial<Routes>

async function listManifests(
  { listRecordings, readRequest }: Services['records'],
  read: (archiveId: string) => Promise<Manifest | undefined>,
  query: QueryOf<'GET /recordings'>,
): Promise<Page<Manifest>> {
  const { showId, name, from, to, label } = query
  const options = pageOptionsOf(query)
  if ([showId, name, from, to, label].every((filter) => filter === undefined)) {
    const { items, cursor } = await listRecordings(options)
    const manifests = await Promise.all(items.map(read))
    return { items: manifests.flatMap((manifest) => manifest ?? []), ...(cursor !== undefined && { cursor }) }
  }
  const cursorAt = (time: string, archiveId: string) =>
    keys.recordingIndex(Date.parse(time), archiveId).slice(indexPrefixes.recordings.length)
  const until = to === undefined ? {} : { after: cursorAt(to, '') }
  return filteredPage<Manifest>(
    { ...until, ...options },
    {
      list: listRecordings,
      read,
      isWanted: async ({ show, page }) =>
        (showId === undefined || show?.showId === showId) &&
        (name === undefined || [show?.name, page?.title].some((text) => contains(text, name))) &&
        (label === undefined || (show && hasLabel((await readRequest(show.showId))?.show.labels, label)) === true),
      isPast: ({ createdAt }) => from !== undefined && Date.parse(createdAt) < Date.parse(from),
      cursorOf: ({ createdAt, archiveId }) => cursorAt(createdAt, archiveId),
    },
  )
}

const contains = (text: string | undefined, part: string) => text?.toLowerCase().includes(part.toLowerCase()) === true

/** Milliseconds for which an answer with links counts as the same version, although its links are signed each time. */
const LINKS_AGE = 300_000

/** Returns the ETag of recordings: a caller who has this version has links that were signed a few minutes ago at most. */
const versionOf = ({ clock }: Pick<Services, 'clock'>, ...shown: readonly unknown[]) => ({
  etag: etagOf(Math.floor(clock.now() / LINKS_AGE), ...shown),
})

async function listDeleted(storage: Services['storage'], query: Asked<'GET /recordings'>['query']) {
  const filters = (['showId', 'name', 'from', 'to', 'label'] as const).filter((name) => query[name] !== undefined)
  if (filters.length > 0)
    throw new ApiProblem(
      'invalid-query',
      'The query is not valid; see problems.',
      filters.map((path) => ({ path, message: 'is not for deleted recordings' })),
    )
  const { items, cursor } = await listDeletions(storage, pageOptionsOf(query))
  const found = await Promise.all(items.map((archiveId) => readDeletion(storage, archiveId)))
  const shown = found.flatMap((stored) => {
    if (stored?.document.phase !== 'deleted') return []
    const { archiveId, deletedAt, deletedBy, purgeAt, createdAt, show, duration, size } = stored.document
    return { archiveId, deletedAt, deletedBy, restorableUntil: purgeAt, createdAt, show, duration, size }
  })
  return ok({ items: shown, cursor })
}

/** Returns the problem of a recording that can be restored; undefined when it was not deleted, or is purged. */
async function deletedRecording(archiveId: string, { storage }: Services): Promise<ApiProblem | undefined> {
  const { document } = (await readDeletion(storage, archiveId)) ?? {}
  if (document?.phase !== 'deleted') return undefined
  const how = `Restore it with POST /recordings/${archiveId}/restore until ${document.purgeAt}`
  return new ApiProblem('recording-deleted', `The recording ${archiveId} was deleted. ${how}.`)
}

const busy = (archiveId: string, words: string) =>
  new ApiProblem('recording-busy', `The recording ${archiveId} ${words}. Repeat the request later.`)
