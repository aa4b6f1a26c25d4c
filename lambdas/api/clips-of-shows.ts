import { type LiveBroadcast, readBroadcast, writeClipPlaylists } from '../../lib/publish/clips/live-broadcast.ts'
import { liveClipSpanOf } from '../../lib/publish/clips/live-clip-span.ts'
import { queueableParts, releaseQueuedClips } from '../../lib/publish/clips/queued-clips.ts'
import {
  type ClipRecord,
  isLiveClip,
  LIVE_PLAYLIST,
  type LiveClipRecord,
  liveOriginOf,
  MAX_CLIPS,
} from '../../lib/publish/manifest/clip.ts'
import { tagsFor } from '../../lib/publish/manifest/manifest.ts'
import { listClips, readClip, recordClip } from '../../lib/records/clip-records.ts'
import type { Services } from '../../lib/services.ts'
import { clipExecutionName, clipIdPattern } from '../../lib/show/document/fields/names.ts'
import { type LiveClipOrder, liveClipOrder } from '../../lib/show/document/orders/clip.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../lib/show/state/request.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import { ApiProblem } from '../http/problem.ts'
import {
  type ApiEvent,
  callerOf,
  clipIdOf,
  noShow,
  ok,
  polledAt,
  type Routes,
  readBody,
  showIdOf,
} from '../http/request.ts'
import { clipLinksOf } from './clip-links.ts'

/**
 * The routes of clips of live shows. Their records are in the folders of the broadcasts, and those of queued clips in the folders of
 * the recordings.
 */
export const showClipRoutes = {
  /** A repeated request with the same key gets the same clip, and starts nothing twice. */
  async 'POST /shows/{id}/clips'(event, services) {
    const order = readBody(event, liveClipOrder)
    const state = await stateOf(event, services)
    const clipId = clipIdOf(event, services)
    const creation = { event, state, services }
    const found = state.status === 'live' ? findBroadcast(order, creation) : undefined
    found?.catch(() => {}) // an earlier clip needs none
    const earlier = await findClip(clipId, state, services)
    if (earlier && earlier.name !== order.name)
      throw new ApiProblem('idempotency-key-reused', 'The Idempotency-Key was used for another clip. Use a new key.')
    const clip = earlier
      ? await continueClip(earlier, state, services)
      : await createClip(clipId, { order, found: (await found) ?? refuseOver(state) }, creation)
    const { archiveId, status } = clip
    const input = {
      bucket: services.storage.bucket,
      key: keys.clip(archiveId, clipId),
      etag: '',
      clip: { archiveId, clipId },
    }
    const isCut = status === 'cutting' && isLiveClip(clip)
    const [answer] = await Promise.all([
      shown(clip, event, services),
      isCut && services.publishExecutions.start(clipExecutionName(archiveId, clipId), input),
    ])
    return ok(answer, 202, polledAt(`/shows/${state.showId}/clips/${clipId}`))
  },

  async 'GET /shows/{id}/clips'(event, services) {
    const state = await stateOf(event, services)
    const found = await Promise.all(ownersOf(state).map((id) => listClips(services.storage, id)))
    const clips = found
      .flat()
      .filter((clip) => isOfShow(clip, state))
      .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
    return ok({ items: await Promise.all(clips.map((clip) => shown(clip, event, services))) })
  },

  async 'GET /shows/{id}/clips/{clipId}'(event, services) {
    return ok(await shown(await clipOf(event, services), event, services))
  },

  async 'DELETE /shows/{id}/clips/{clipId}'(event, services) {
    const { archiveId, clipId, status } = await clipOf(event, services)
    if (status === 'cutting' && (await services.publishExecutions.isAnyRunning(clipExecutionName(archiveId, clipId))))
      throw new ApiProblem('recording-busy', `The clip ${clipId} is being cut. Repeat the request later.`)
    await services.storage.deleteAll(keys.published(archiveId, 'clips', clipId, ''))
    return ok({ showId: showIdOf(event), clipId })
  },
} satisfies Partial<Routes>

interface Creation {
  readonly event: ApiEvent
  readonly state: ShowState
  readonly services: Services
}

/** What a clip of a live show is made of. */
interface FoundBroadcast {
  readonly request: ShowRequest
  readonly part: ReturnType<typeof broadcastOf>
  /** Undefined when its playlists cannot be read now. */
  readonly broadcast: LiveBroadcast | undefined
  /** Clips of the broadcast. */
  readonly count: number
}

/** Reads at once what a clip needs: a viewer waits for its answer. @throws {@link ApiProblem} without such a broadcast */
async function findBroadcast(order: LiveClipOrder, { state, services }: Creation): Promise<FoundBroadcast> {
  const { records, storage } = services
  const part = broadcastOf(order, state)
  const [request, broadcast, clips] = await Promise.all([
    records.readRequest(state.showId),
    readBroadcast(part.hls, services),
    listClips(storage, part.broadcastId),
  ])
  if (!request) throw noShow(state.showId)
  return { request, part, broadcast, count: clips.length }
}

/** @throws {@link ApiProblem} always */
function refuseOver({ showId }: ShowState): never {
  throw new ApiProblem(
    'wrong-show-state',
    `The show ${showId} is not live. Clips of a recording are created once that is published.`,
  )
}

interface Found {
  readonly order: LiveClipOrder
  readonly found: FoundBroadcast
}

/** Records a clip behind its playlists: from then on it can be watched. */
async function createClip(clipId: string, { order, found }: Found, creation: Creation): Promise<ClipRecord> {
  const { event, state, services } = creation
  const { storage, clock } = services
  const { request, broadcast, count } = found
  const { name, part, broadcastId: archiveId, order: added } = found.part
  if (!broadcast) return queueClip(clipId, { order, request, broadcast: name }, creation)
  const { publish, broadcasts } = request.show
  const span = liveClipSpanOf(order, { request, state, kept: broadcast.kept, now: clock.now() })
  if ('message' in span) throw new ApiProblem('invalid-body', 'The body is not valid; see problems.', [span])
  refuseTooMany(count)
  const startedAt = state.liveAt ?? ''
  const secondsAt = (time: number) => Math.round(time - Date.parse(startedAt)) / 1000
  const [width = 0, height = 0] = (added ?? broadcasts.find((one) => one.name === name))?.resolution
    ?.split('x')
    .map(Number) ?? [640, 480]
  const keepDays = publish.keepDays ?? null
  const by = callerOf(event)
  const clip: LiveClipRecord = {
    ...{ version: 1, clipId, archiveId, name: order.name, status: 'cutting' },
    ...{ from: secondsAt(span.from), to: secondsAt(span.to), createdAt: new Date(clock.now()).toISOString() },
    ...(by !== undefined && { createdBy: by }),
    live: {
      ...{ showId: state.showId, broadcast: name, part, startedAt, access: publish.access, keepDays },
      picture: { width, height },
    },
  }
  const files = writeClipPlaylists(broadcast, span).map(({ name: file, playlist }) =>
    storage.put(
      keys.published(archiveId, 'clips', clipId, file),
      playlist,
      'application/vnd.apple.mpegurl',
      tagsFor(keepDays),
    ),
  )
  await Promise.all(files)
  return recordClip(storage, clip, { keepDays })
}

/** Records a clip that is cut once the recording of its time is published. */
async function queueClip(
  clipId: string,
  { order, request, broadcast }: { order: LiveClipOrder; request: ShowRequest; broadcast: string },
  { event, state, services }: Creation,
): Promise<ClipRecord> {
  const { storage, clock } = services
  const parts = queueableParts(request, state)
  if (!parts[0])
    throw new ApiProblem(
      'broadcast-not-readable',
      `The segments of the broadcast ${broadcast} cannot be read now, and no recording with HLS runs. Add a recording to the show.`,
    )
  const now = clock.now()
  const span = liveClipSpanOf(order, { request, state, kept: { from: parts[0].start, to: now }, now })
  if ('message' in span) throw new ApiProblem('invalid-body', 'The body is not valid; see problems.', [span])
  const index = parts.findLastIndex(({ start }) => start <= span.from)
  const { archiveId, name, part, start } = parts[index] ?? parts[0]
  const next = parts[index + 1]
  if (next && next.start < span.to) {
    const message = `must not be after ${new Date(next.start).toISOString()}, when the next part of the recording began`
    throw new ApiProblem('invalid-body', 'The body is not valid; see problems.', [{ path: 'to', message }])
  }
  refuseTooMany((await listClips(storage, archiveId)).length)
  const keepDays = request.show.publish.keepDays ?? null
  const by = callerOf(event)
  const clip: ClipRecord = {
    ...{ version: 1, clipId, archiveId, name: order.name, status: 'queued' },
    ...{ from: (span.from - start) / 1000, to: (span.to - start) / 1000, createdAt: new Date(now).toISOString() },
    ...(by !== undefined && { createdBy: by }),
    queued: {
      ...{ showId: state.showId, broadcast, recording: name, part, keepDays },
      offset: (start - Date.parse(state.liveAt ?? '')) / 1000,
    },
  }
  return continueClip(await recordClip(storage, clip, { keepDays }), state, services)
}

/** Returns a recorded clip. A queued one is cut at once if its recording is published already, also after an interrupted request. */
async function continueClip(clip: ClipRecord, state: ShowState, services: Services): Promise<ClipRecord> {
  if (clip.status !== 'queued') return clip
  const manifest = await services.records.readManifest(clip.archiveId)
  if (manifest) await releaseQueuedClips(manifest, services)
  return (await findClip(clip.clipId, state, services)) ?? clip
}

/** @throws {@link ApiProblem} if a broadcast or a recording has the maximum of clips */
function refuseTooMany(count: number): void {
  if (count < MAX_CLIPS) return
  throw new ApiProblem('limit-reached', `The show has reached its limit of ${MAX_CLIPS} clips. Delete some first.`)
}

/** Returns the part of a broadcast that a clip is cut from: the latest one that had begun. */
function broadcastOf({ broadcast, from }: LiveClipOrder, { broadcasts, liveAt = '' }: ShowState) {
  const playable = broadcasts.flatMap((one) =>
    one.broadcastId !== undefined && one.hls !== undefined && (broadcast ?? one.name) === one.name
      ? { ...one, broadcastId: one.broadcastId, hls: one.hls }
      : [],
  )
  const parts = playable.filter(({ name }) => name === playable[0]?.name)
  const time = typeof from === 'number' ? Date.parse(liveAt) + from * 1000 : Date.parse(from ?? '')
  const begun = parts.findLast(({ createdAt = '' }) => Number.isNaN(time) || Date.parse(createdAt) <= time)
  const found = begun ?? parts[0]
  if (found) return found
  const message =
    broadcast === undefined ? 'needs a broadcast with hls in the show' : 'names no broadcast with hls that runs'
  throw new ApiProblem('invalid-body', 'The body is not valid; see problems.', [{ path: 'broadcast', message }])
}

async function stateOf(event: ApiEvent, { records }: Pick<Services, 'records'>): Promise<ShowState> {
  const showId = showIdOf(event)
  const state = await records.readState(showId)
  if (!state) throw noShow(showId)
  return state
}

/** Returns the ids of the broadcasts and recordings whose folders may have clips of a show. */
const ownersOf = ({ broadcasts, recordings }: Pick<ShowState, 'broadcasts' | 'recordings'>) => [
  ...broadcasts.flatMap(({ broadcastId }) => broadcastId ?? []),
  ...recordings.flatMap(({ archiveId }) => archiveId ?? []),
]

/** Returns true for a clip that was created while the show was live, and not of one of its published recordings. */
const isOfShow = (clip: ClipRecord, { showId }: Pick<ShowState, 'showId'>) => liveOriginOf(clip)?.showId === showId

async function findClip(clipId: string, state: ShowState, { storage }: Pick<Services, 'storage'>) {
  if (!clipIdPattern.test(clipId)) return undefined
  const found = await Promise.all(ownersOf(state).map((id) => readClip(storage, id, clipId)))
  return found.flatMap((one) => one?.document ?? []).find((clip) => isOfShow(clip, state))
}

/** Returns the clip that the path names. @throws {@link ApiProblem} when there is none */
async function clipOf(event: ApiEvent, services: Pick<Services, 'records' | 'storage'>): Promise<ClipRecord> {
  const clipId = event.pathParameters?.clipId ?? ''
  const clip = await findClip(clipId, await stateOf(event, services), services)
  if (!clip) throw new ApiProblem('unknown-clip', `The show has no clip ${clipId}.`)
  return clip
}

type Showing = Pick<Services, 'records' | 'storage' | 'watchLinks' | 'variable'>

/** Returns a clip with links that admit viewers to it, and not to the show. A queued one has none before its recording is there. */
async function shown(clip: ClipRecord, event: ApiEvent, services: Showing) {
  const { version: _, archiveId, live, queued, file: __, ...about } = clip
  if (!live) return { ...about, ...(queued && (await shownQueued(clip, queued, event, services))) }
  const playlist = keys.published(archiveId, 'clips', clip.clipId, LIVE_PLAYLIST)
  const links = await clipLinksOf(clip, { access: live.access, playlist }, event, services)
  return { ...about, showId: live.showId, broadcast: live.broadcast, ...links }
}

/** Returns what is shown of a queued clip in place of its times in the recording, and links once that is published. */
async function shownQueued(
  clip: ClipRecord,
  { showId, broadcast, offset }: NonNullable<ClipRecord['queued']>,
  event: ApiEvent,
  services: Showing,
) {
  const secondsOf = (seconds: number) => Math.round(1000 * (seconds + offset)) / 1000
  const manifest = clip.status === 'queued' ? undefined : await services.records.readManifest(clip.archiveId)
  const playlist = manifest?.files.find(({ role }) => role === 'hls')?.key
  const links = manifest && playlist && (await clipLinksOf(clip, { ...manifest, playlist }, event, services))
  return { showId, broadcast, from: secondsOf(clip.from), to: secondsOf(clip.to), ...links }
}
