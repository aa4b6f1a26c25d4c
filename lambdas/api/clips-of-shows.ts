import { randomUUID } from 'node:crypto'
import { readBroadcast, writeClipPlaylists } from '../../lib/publish/clips/live-broadcast.ts'
import { liveClipSpanOf } from '../../lib/publish/clips/live-clip-span.ts'
import { isLiveClip, LIVE_PLAYLIST, type LiveClipRecord, MAX_CLIPS } from '../../lib/publish/manifest/clip.ts'
import { tagsFor } from '../../lib/publish/manifest/manifest.ts'
import { listClips, readClip, writeClip } from '../../lib/records/clip-records.ts'
import type { Services } from '../../lib/services.ts'
import { clipExecutionName, clipIdPattern } from '../../lib/show/document/fields/names.ts'
import { type LiveClipOrder, liveClipOrder } from '../../lib/show/document/orders/clip.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import { ApiProblem } from '../http/problem.ts'
import {
  type ApiEvent,
  callerOf,
  idempotencyIdOf,
  noShow,
  ok,
  polledAt,
  type Routes,
  readBody,
  showIdOf,
} from '../http/request.ts'
import { clipLinksOf } from './clip-links.ts'

/** The routes of clips of live shows. Their records are in the folders of the broadcasts. */
export const showClipRoutes = {
  /** A repeated request with the same key gets the same clip, and starts nothing twice. */
  async 'POST /shows/{id}/clips'(event, services) {
    const order = readBody(event, liveClipOrder)
    const state = await stateOf(event, services)
    if (state.status !== 'live')
      throw new ApiProblem(
        'wrong-show-state',
        `The show ${state.showId} is not live. Clips of a recording are created once that is published.`,
      )
    const clipId = (idempotencyIdOf(event) ?? randomUUID().replaceAll('-', '')).slice(0, 16)
    const earlier = await findClip(clipId, state, services)
    if (earlier && earlier.name !== order.name)
      throw new ApiProblem('idempotency-key-reused', 'The Idempotency-Key was used for another clip. Use a new key.')
    const clip = earlier ?? (await createClip(clipId, order, { event, state, services }))
    const { archiveId, status } = clip
    const input = {
      bucket: services.storage.bucket,
      key: keys.clip(archiveId, clipId),
      etag: '',
      clip: { archiveId, clipId },
    }
    if (status === 'cutting') await services.publishExecutions.start(clipExecutionName(archiveId, clipId), input)
    return ok(await shown(clip, event, services), 202, polledAt(`/shows/${state.showId}/clips/${clipId}`))
  },

  async 'GET /shows/{id}/clips'(event, services) {
    const { broadcasts } = await stateOf(event, services)
    const ids = broadcasts.flatMap(({ broadcastId }) => broadcastId ?? [])
    const found = await Promise.all(ids.map((id) => listClips(services.storage, id)))
    const clips = found.flat().filter(isLiveClip)
    return ok({ items: await Promise.all(clips.map((clip) => shown(clip, event, services))) })
  },

  async 'GET /shows/{id}/clips/{clipId}'(event, services) {
    return ok(await shown(await clipOf(event, services), event, services))
  },

  async 'DELETE /shows/{id}/clips/{clipId}'(event, services) {
    const { archiveId, clipId, status, live } = await clipOf(event, services)
    if (status === 'cutting' && (await services.publishExecutions.isAnyRunning(clipExecutionName(archiveId, clipId))))
      throw new ApiProblem('recording-busy', `The clip ${clipId} is being cut. Repeat the request later.`)
    await services.storage.deleteAll(keys.published(archiveId, 'clips', clipId, ''))
    return ok({ showId: live.showId, clipId })
  },
} satisfies Partial<Routes>

interface Creation {
  readonly event: ApiEvent
  readonly state: ShowState
  readonly services: Services
}

/** Records a clip behind its playlists: from then on it can be watched. */
async function createClip(clipId: string, order: LiveClipOrder, { event, state, services }: Creation) {
  const { records, storage, clock } = services
  const request = await records.readRequest(state.showId)
  if (!request) throw noShow(state.showId)
  const { name, part, broadcastId: archiveId, hls, order: added } = broadcastOf(order, state)
  const broadcast = await readBroadcast(hls, services)
  if (!broadcast)
    throw new ApiProblem(
      'broadcast-not-readable',
      `The segments of the broadcast ${name} cannot be read now. Create the clip of a recording once that is published.`,
    )
  const { publish, broadcasts } = request.show
  const span = liveClipSpanOf(order, { request, state, kept: broadcast.kept, now: clock.now() })
  if ('message' in span) throw new ApiProblem('invalid-body', 'The body is not valid; see problems.', [span])
  if ((await listClips(storage, archiveId)).length >= MAX_CLIPS)
    throw new ApiProblem(
      'limit-reached',
      `The broadcast has reached its limit of ${MAX_CLIPS} clips. Delete some first.`,
    )
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
  if (await writeClip(storage, clip, { keepDays })) return clip
  return (await findClip(clipId, state, services)) ?? clip
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

async function findClip(clipId: string, { broadcasts }: ShowState, { storage }: Pick<Services, 'storage'>) {
  if (!clipIdPattern.test(clipId)) return undefined
  const ids = broadcasts.flatMap(({ broadcastId }) => broadcastId ?? [])
  const found = await Promise.all(ids.map((id) => readClip(storage, id, clipId)))
  return found.flatMap((one) => one?.document ?? []).find(isLiveClip)
}

/** Returns the clip that the path names. @throws {@link ApiProblem} when there is none */
async function clipOf(event: ApiEvent, services: Pick<Services, 'records' | 'storage'>): Promise<LiveClipRecord> {
  const clipId = event.pathParameters?.clipId ?? ''
  const clip = await findClip(clipId, await stateOf(event, services), services)
  if (!clip) throw new ApiProblem('unknown-clip', `The show has no clip ${clipId}.`)
  return clip
}

/** Returns a clip with links that admit viewers to it, and not to the show. */
async function shown(
  clip: LiveClipRecord,
  event: ApiEvent,
  services: Pick<Services, 'storage' | 'watchLinks' | 'variable'>,
) {
  const { version: _, archiveId, live, file: __, ...about } = clip
  const playlist = keys.published(archiveId, 'clips', clip.clipId, LIVE_PLAYLIST)
  const links = await clipLinksOf(clip, { access: live.access, playlist }, event, services)
  return { ...about, showId: live.showId, broadcast: live.broadcast, ...links }
}
