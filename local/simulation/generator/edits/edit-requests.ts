import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import { parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import { replacedKeyIn } from '../../chaos/replace-file.ts'
import type { ApiRequest } from '../../environment/app/event-app.ts'
import { repeatRequest } from '../../environment/app/repeat-request.ts'
import type { World } from '../../world.ts'
import type { Edit, PlannedEdits } from './edits.ts'

/** `Idempotency-Key` of the request to rebuild a recording while its file is withheld. */
export const EARLY_REBUILD = 'early-rebuild'

type Reach = Pick<World, 'callApi' | 'clock' | 'events' | 'trace'>

/** Milliseconds between two polls of the app, and their number: until published files have been replaced and withheld. */
const POLL_INTERVAL = 30_000
const POLLS = 80
/** Polls until parts that are published have been joined. */
const JOINING_POLLS = 10
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
  const [last] = await Promise.all([requestAll(), requestJudgement(planned, reach)])
  const isDeleted = last?.what === 'delete' && !last.permanently
  await reach.clock.sleep(isDeleted && planned.awaitsPurge ? PURGED : SETTLE)
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

/** Returns the last edit if it was answered as done. */
async function requestEach(
  archiveId: string,
  { edits }: PlannedEdits,
  { callApi, clock }: Reach,
): Promise<Edit | undefined> {
  const clips: string[] = []
  let last: Edit | undefined
  for (const { after, key, edit } of edits) {
    await clock.sleep(after * 1000)
    const request = toRequest(archiveId, edit, clips)
    if (!request) continue
    const send = () => repeatRequest(callApi, clock, { ...request, key }, isBusy)
    const { status = 500, body } = await send()
    last = status < 300 ? edit : undefined
    if ('posts' in edit && edit.posts > 1) await send()
    if (edit.what === 'clip' && status < 300) clips.push((JSON.parse(body) as { clipId: string }).clipId)
  }
  return last
}

const isBusy = (body: string) => body.includes('recording-busy')

/** Returns the request of an edit; undefined for the deletion of a clip where there is none. */
function toRequest(archiveId: string, edit: Edit, clips: string[]): Omit<ApiRequest, 'key'> | undefined {
  const path = `/recordings/${archiveId}`
  switch (edit.what) {
    case 'clip':
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
    case 'restore':
    case 'revoke':
      return { method: 'POST', path: `${path}/${edit.what}`, body: {} }
  }
}

/**
 * Reads the recording whose file was replaced until that file is withheld. Then asks in vain to rebuild it, and accepts or rejects the
 * file.
 */
async function requestJudgement({ judgement }: PlannedEdits, reach: Reach): Promise<void> {
  const { callApi, clock, trace } = reach
  let reads = 0
  const withheld = await poll(reach, async () => {
    const { archiveId } = parseArchiveKey(replacedKeyIn(trace.entries) ?? '') ?? {}
    if (archiveId === undefined) return undefined
    const read = { method: 'GET', path: `/recordings/${archiveId}`, key: `read-${++reads}` }
    const { body } = await repeatRequest(callApi, clock, read)
    const etag = /"withheld":\{"etag":"([^"]+)"/.exec(body)?.[1]
    return etag === undefined ? undefined : { archiveId, etag }
  })
  if (!withheld) return
  const { archiveId, etag } = withheld
  const path = `/recordings/${archiveId}`
  await repeatRequest(callApi, clock, { method: 'POST', path: `${path}/rebuild`, key: EARLY_REBUILD, body: {} })
  await repeatRequest(callApi, clock, { method: 'POST', path: `${path}/${judgement}`, key: judgement, body: { etag } })
}
