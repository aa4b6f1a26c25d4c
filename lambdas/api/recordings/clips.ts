import { clipSpanOf } from '../../../lib/publish/clips/clip-span.ts'
import { type ClipRecord, MAX_CLIPS } from '../../../lib/publish/manifest/clip.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { listClips, readClip, recordClip } from '../../../lib/records/clip-records.ts'
import type { Services } from '../../../lib/services.ts'
import { clipExecutionName, clipIdPattern } from '../../../lib/show/document/fields/names.ts'
import { clipOrder } from '../../../lib/show/document/orders/clip.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { ApiProblem } from '../../http/problem.ts'
import {
  type ApiEvent,
  archiveIdOf,
  callerOf,
  clipIdOf,
  noRecording,
  ok,
  polledAt,
  type Routes,
  readBody,
} from '../../http/request.ts'
import { clipLinksOf } from '../clip-links.ts'

/** The routes of clips. A clip can be watched as soon as it is recorded. */
export const clipRoutes = {
  /** A repeated request with the same key gets the same clip, and starts nothing twice. */
  async 'POST /recordings/{archiveId}/clips'(event, services) {
    const archiveId = archiveIdOf(event)
    const { name, ...order } = readBody(event, clipOrder)
    const { records, storage, publishExecutions, clock } = services
    const manifest = await records.readManifest(archiveId)
    if (!manifest) throw noRecording(archiveId)
    const { duration, source, keepDays } = manifest
    if (duration === null || !masterOf(manifest))
      throw new ApiProblem(
        'recording-not-playable',
        'The recording has no HLS, of which clips are made. Rebuild it with hls.',
      )
    const span = await clipSpanOf(order, { ...manifest, duration }, services)
    if ('message' in span) throw new ApiProblem('invalid-body', 'The body is not valid; see problems.', [span])
    const clipId = clipIdOf(event, services)
    const by = callerOf(event)
    const clip: ClipRecord = {
      ...{ version: 1, clipId, archiveId, name, ...span, status: 'cutting' },
      createdAt: new Date(clock.now()).toISOString(),
      ...(by !== undefined && { createdBy: by }),
    }
    const recorded = await recordOnce(clip, keepDays, services)
    const input = { bucket: storage.bucket, key: source.key, etag: source.etag ?? '', clip: { archiveId, clipId } }
    if (recorded.status === 'cutting') await publishExecutions.start(clipExecutionName(archiveId, clipId), input)
    const location = `/recordings/${archiveId}/clips/${clipId}`
    return ok(await shown(recorded, manifest, event, services), 202, polledAt(location))
  },

  async 'GET /recordings/{archiveId}/clips'(event, services) {
    const manifest = await manifestOf(event, services)
    const clips = await listClips(services.storage, manifest.archiveId)
    return ok({ items: await Promise.all(clips.map((clip) => shown(clip, manifest, event, services))) })
  },

  async 'GET /recordings/{archiveId}/clips/{clipId}'(event, services) {
    const manifest = await manifestOf(event, services)
    return ok(await shown(await clipOf(event, services), manifest, event, services))
  },

  /** Deletes every version, so that a restored recording does not have the clip again. */
  async 'DELETE /recordings/{archiveId}/clips/{clipId}'(event, services) {
    await manifestOf(event, services)
    const { archiveId, clipId, status } = await clipOf(event, services)
    const isCutting =
      status === 'cutting' && services.publishExecutions.isAnyRunning(clipExecutionName(archiveId, clipId))
    if (await isCutting)
      throw new ApiProblem('recording-busy', `The clip ${clipId} is being cut. Repeat the request later.`)
    await services.storage.deleteAll(keys.published(archiveId, 'clips', clipId, ''))
    return ok({ archiveId, clipId })
  },
} satisfies Partial<Routes>

/** Records a clip, or returns the one that an earlier request with the same key has recorded. */
async function recordOnce(
  clip: ClipRecord,
  keepDays: number | undefined,
  { storage }: Pick<Services, 'storage'>,
): Promise<ClipRecord> {
  const { archiveId, clipId } = clip
  const earlier = await readClip(storage, archiveId, clipId)
  if (!earlier) {
    if ((await listClips(storage, archiveId)).length >= MAX_CLIPS)
      throw new ApiProblem(
        'limit-reached',
        `The recording has reached its limit of ${MAX_CLIPS} clips. Delete some first.`,
      )
  }
  const document = earlier?.document ?? (await recordClip(storage, clip, { keepDays }))
  if ((['name', 'from', 'to'] as const).some((field) => document[field] !== clip[field]))
    throw new ApiProblem('idempotency-key-reused', 'The Idempotency-Key was used for another clip. Use a new key.')
  return document
}

async function manifestOf(event: ApiEvent, { records }: Pick<Services, 'records'>): Promise<Manifest> {
  const archiveId = archiveIdOf(event)
  const manifest = await records.readManifest(archiveId)
  if (!manifest) throw noRecording(archiveId)
  return manifest
}

/** Returns the clip that the path names. @throws {@link ApiProblem} when there is none */
async function clipOf(event: ApiEvent, { storage }: Pick<Services, 'storage'>): Promise<ClipRecord> {
  const clipId = event.pathParameters?.clipId ?? ''
  const found = clipIdPattern.test(clipId) ? await readClip(storage, archiveIdOf(event), clipId) : undefined
  if (!found) throw new ApiProblem('unknown-clip', `The recording has no clip ${clipId}.`)
  return found.document
}

const masterOf = ({ files }: Manifest) => files.find(({ role }) => role === 'hls')

/** Returns a clip with links that admit viewers to it, and not to the rest of the recording’s page. */
async function shown(
  clip: ClipRecord,
  manifest: Manifest,
  event: ApiEvent,
  services: Pick<Services, 'storage' | 'watchLinks' | 'variable'>,
) {
  const { version: _, file: __, live: ___, queued: ____, ...about } = clip
  const playlist = masterOf(manifest)?.key ?? ''
  return { ...about, ...(await clipLinksOf(clip, { ...manifest, playlist }, event, services)) }
}
