import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import { parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import { replaceByHalf, replacedKeyIn } from '../../chaos/replace-file.ts'
import type { ApiRequest } from '../../environment/app/event-app.ts'
import { repeatRequest } from '../../environment/app/repeat-request.ts'
import type { World } from '../../world.ts'
import type { Edit, PlannedEdits } from './edits.ts'

/** `Idempotency-Key` of the request to rebuild a recording while its file is withheld. */
export const EARLY_REBUILD = 'early-rebuild'

type Reach = Pick<World, 'callApi' | 'clock' | 'events' | 'trace' | 'resources' | 'observer' | 'faults'>

/** An archive that the platform has never had. */
export const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** Milliseconds between two polls of the app, and their number: until published files have been replaced and withheld. */
const POLL_INTERVAL = 30_000
const POLLS = 80
/** Polls until parts that are published have been joined. */
const JOINING_POLLS = 10
/** The ETag of no file. */
export const OTHER_ETAG = '0'.repeat(32)
/** Milliseconds after the last edit in which what it started ends. */
const SETTLE = 1_200_000
/** Milliseconds after a deletion in which a deployment purges the recording: seven days, and two hours of sweeps. */
const PURGED = 7 * 86_400_000 + 7_200_000

/**
 * Sends the edits of a recording, one after the other, and judges a file that is withheld. Resolves when all have had their effect,
 * and some deletions their end.
 */
export async function requestEdits(planned: PlannedEdits, reach: Reach): Promise<void> {
  const archiveId = await pick(planned, reach)
  if (archiveId === undefined) return
  const requestAll = async () => {
    const isJoined = planned.isJoined && (await isThere(joinedId(archiveId), reach))
    return requestEach(isJoined ? joinedId(archiveId) : archiveId, planned, reach)
  }
  const [deletedAt] = await Promise.all([requestAll(), requestJudgement(planned, reach)])
  const untilPurged = deletedAt !== undefined && planned.awaitsPurge ? deletedAt + PURGED - reach.clock.now() : 0
  await reach.clock.sleep(Math.max(SETTLE, untilPurged))
}

/** Picks a published recording. Returns undefined if there is none. */
async function pick({ recording, prefersParts }: PlannedEdits, reach: Reach): Promise<string | undefined> {
  const picked = await poll(reach, () => publishedIn(reach.events)[recording % publishedIn(reach.events).length])
  if (picked === undefined || !prefersParts) return picked
  const findPart = async () => {
    for (const archiveId of publishedIn(reach.events)) if (await isThere(joinedId(archiveId), reach)) return archiveId
    return undefined
  }
  return (await poll(reach, findPart, JOINING_POLLS)) ?? picked
}

async function poll<Value>(
  { clock }: Pick<Reach, 'clock'>,
  find: () => Promise<Value | undefined> | Value | undefined,
  most = POLLS,
): Promise<Value | undefined> {
  for (let polls = 0; polls < most; polls++) {
    const found = await find()
    if (found !== undefined) return found
    await clock.sleep(POLL_INTERVAL)
  }
  return undefined
}

/** Returns the ids of archives that owners know as published. */
function publishedIn(events: Reach['events']): string[] {
  const published = events
    .map(({ detail }) => detail as OwnerEvent)
    .filter(({ event, status }) => event === 'recording.published' && status === 'complete')
  return [...new Set(published.flatMap(({ archiveId }) => archiveId ?? []))]
}

async function isThere(archiveId: string, { callApi, clock }: Reach): Promise<boolean> {
  const { status } = await repeatRequest(callApi, clock, {
    method: 'GET',
    path: `/recordings/${archiveId}`,
    key: 'find',
  })
  return status === 200
}

/** Returns when the recording was deleted, in milliseconds since the epoch; undefined if it is not, or was permanently. */
async function requestEach(
  archiveId: string,
  { edits }: PlannedEdits,
  { callApi, clock, resources }: Reach,
): Promise<number | undefined> {
  const clips: string[] = []
  let deletedAt: number | undefined
  for (const { after, key, together, edit } of edits) {
    await clock.sleep(after * 1000)
    const request = toRequest(archiveId, edit, { clips, uploading: uploadingIn(resources) })
    if (!request) continue
    const send = () =>
      repeatRequest(callApi, clock, { ...request, key }, edit.what === 'deleteUploading' ? undefined : isBusy)
    const [{ status = 500, body }] = await Promise.all([send(), together && send()])
    const isDone = status < 300
    if (isDone && edit.what === 'delete') deletedAt = edit.permanently ? undefined : clock.now()
    if (isDone && edit.what === 'restore') deletedAt = undefined
    if ('posts' in edit && edit.posts > 1) await send()
    if (edit.what === 'clip' && isDone) clips.push((JSON.parse(body) as { clipId: string }).clipId)
  }
  return deletedAt
}

const isBusy = (body: string) => body.includes('recording-busy')

/** Returns the id of the first archive that is being uploaded; undefined for none. */
function uploadingIn({ changes }: Reach['resources']): string | undefined {
  const statuses = new Map(changes.flatMap(({ kind, id, status }) => (kind === 'archive' ? [[id, status]] : [])))
  return [...statuses].find(([, status]) => status === 'stopped')?.[0]
}

interface Found {
  readonly clips: string[]
  readonly uploading: string | undefined
}

/** Returns the request of an edit; undefined for the deletion of a clip or an archive where there is none. */
function toRequest(archiveId: string, edit: Edit, { clips, uploading }: Found): Omit<ApiRequest, 'key'> | undefined {
  const path = `/recordings/${archiveId}`
  switch (edit.what) {
    case 'clip':
    case 'clipByClock':
      return { method: 'POST', path: `${path}/clips`, body: edit.order }
    case 'deleteClip': {
      const clipId = clips.shift()
      return clipId === undefined ? undefined : { method: 'DELETE', path: `${path}/clips/${clipId}` }
    }
    case 'rebuild':
      return { method: 'POST', path: `${path}/rebuild`, body: edit.formats ? { formats: edit.formats } : {} }
    case 'captions':
      return { method: 'PUT', path: `${path}/captions/${edit.language}`, captions: edit.text }
    case 'deleteCaptions':
      return { method: 'DELETE', path: `${path}/captions/${edit.language}` }
    case 'delete':
      return { method: 'DELETE', path: edit.permanently ? `${path}?permanently=true` : path }
    case 'deleteUploading':
      return uploading === undefined
        ? undefined
        : toRequest(uploading, { ...edit, what: 'delete' }, { clips, uploading })
    case 'restore':
    case 'revoke':
      return { method: 'POST', path: `${path}/${edit.what}`, body: {} }
    case 'deleteUnknown':
      return { method: 'DELETE', path: `/recordings/${UNKNOWN}` }
    case 'restoreUnknown':
      return { method: 'POST', path: `/recordings/${UNKNOWN}/restore`, body: {} }
  }
}

/**
 * Reads the recording whose file was replaced until that file is withheld. Then asks in vain to rebuild it and to judge another
 * file, and accepts or rejects the file twice. At last it asks for the opposite. If another file is uploaded before, it asks in vain
 * to judge the former one.
 */
async function requestJudgement({ judgement, uploadsAgain = false }: PlannedEdits, reach: Reach): Promise<void> {
  const { callApi, clock } = reach
  const first = await findWithheld(reach)
  if (!first) return
  const { archiveId, key } = first
  const post = (what: string, key: string, body: object) =>
    repeatRequest(callApi, clock, { method: 'POST', path: `/recordings/${archiveId}/${what}`, key, body })
  await post('rebuild', EARLY_REBUILD, {})
  for (const what of ['accept', 'reject'] as const) await post(what, `${what}-another`, { etag: OTHER_ETAG })
  if (uploadsAgain) {
    await replaceByHalf(key, reach)
    await post(judgement, `${judgement}-former`, { etag: first.etag })
  }
  const { etag = first.etag } = (uploadsAgain && (await findWithheld(reach, first.etag))) || {}
  await post(judgement, judgement, { etag })
  await post(judgement, `${judgement}-again`, { etag })
  await post(judgement === 'accept' ? 'reject' : 'accept', 'opposite', { etag })
  await clock.sleep(SETTLE)
  await post(judgement === 'accept' ? 'reject' : 'accept', 'opposite-later', { etag })
}

/** Polls the recording whose file was replaced until a file is withheld. @param former the ETag of a file that was withheld before */
function findWithheld({ callApi, clock, trace }: Reach, former?: string) {
  let reads = 0
  return poll({ clock }, async () => {
    const key = replacedKeyIn(trace.entries) ?? ''
    const { archiveId } = parseArchiveKey(key) ?? {}
    if (archiveId === undefined) return undefined
    const read = { method: 'GET', path: `/recordings/${archiveId}`, key: `read-${++reads}` }
    const { body } = await repeatRequest(callApi, clock, read)
    const etag = /"withheld":\{"etag":"([^"]+)"/.exec(body)?.[1]
    return etag === undefined || etag === former ? undefined : { archiveId, key, etag }
  })
}
