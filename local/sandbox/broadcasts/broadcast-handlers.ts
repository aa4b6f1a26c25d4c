import type { broadcastOperations, SentBroadcast } from '../../../lib/platform/contract/broadcasts.ts'
import { admitSession, admitTag, readComposition } from '../composed/admission.ts'
import { refuseUndrawable } from '../composed/drawable-layouts.ts'
import { changeChoices, showChoices } from '../composed/stream-selection.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import { LADDER_FILE, PLAYLIST_FILE } from '../media/encoding/broadcast-target.ts'
import type { RtmpTarget } from '../media/media.ts'
import { DVR_FILE } from '../media/packaging/live-ladder.ts'
import { readRtmpUrl } from '../media/rtmp/address.ts'
import type { SandboxParts } from '../parts.ts'
import { type Ids, isUuid, keysOf } from '../state/ids.ts'
import type { BroadcastRecord } from '../state/records.ts'
import type { Broadcasts } from './broadcasts.ts'

/** Form of RTMP outputs in the answers of list and get: an object by their ids, or an array as on some deployments. */
export type RtmpForm = 'object' | 'array'

export function broadcastHandlers(
  parts: Pick<SandboxParts, 'store' | 'ids' | 'presence' | 'publicUrl'> & {
    broadcasts: Broadcasts
    rtmpForm: RtmpForm
  },
): Handlers<keyof typeof broadcastOperations> {
  const { store, ids, broadcasts, publicUrl, rtmpForm } = parts
  /** List and get repeat createdAt as updatedAt (docs/platform/broadcasts.md#records); stopBroadcast and callbacks do not. */
  const show = (broadcast: BroadcastRecord) => ({
    ...showBroadcast(broadcast, publicUrl(), rtmpForm),
    updatedAt: broadcast.createdAt,
  })

  function find(apiKey: string, id: string): BroadcastRecord {
    if (!isUuid(id) && !isFormerId(id)) throw new Refusal(400, 'The broadcast id is invalid.')
    const broadcast = store.broadcasts.get(id)
    if (broadcast?.projectId !== apiKey) throw new Refusal(404, 'Broadcast not found')
    return broadcast
  }

  /** @throws {@link Refusal} 404, also for a broadcast that has stopped */
  function findRunning(apiKey: string, id: string): BroadcastRecord {
    const broadcast = find(apiKey, id)
    if (broadcast.status !== 'started') throw new Refusal(404, `Broadcast not found: it is ${broadcast.status}.`)
    return broadcast
  }

  return {
    async startBroadcast({ apiKey, body }) {
      const { sessionId, multiBroadcastTag: tag, resolution, maxDuration, outputs } = body
      const composition = readComposition(body)
      admitSession(parts, apiKey, sessionId)
      admitTag('multiBroadcastTag', tag, broadcasts.running(sessionId))
      const hls = outputs.hls && { ...outputs.hls, status: 'connecting' as const }
      const rtmp = addressOutputs(outputs.rtmp, ids)
      const described = { sessionId, tag, resolution, ...composition, maxDuration, hls, rtmp }
      const started = await broadcasts.start({ id: ids.uuid(), projectId: apiKey, ...described })
      return showBroadcast(started, publicUrl(), 'array')
    },
    stopBroadcast({ apiKey, broadcastId }) {
      const { id } = findRunning(apiKey, broadcastId)
      const { createdAt, updatedAt, ...stopped } = showBroadcast(broadcasts.stop(id), publicUrl())
      return { ...stopped, createdAt: seconds(createdAt), updatedAt: seconds(updatedAt), streams: [] }
    },
    async listBroadcasts({ apiKey, query: { offset, count, sessionId } }) {
      const match = { projectId: apiKey, sessionId, status: 'started' as const }
      const { total, items } = store.broadcasts.page(match, { offset, count })
      return { count: total, items: (await Promise.all(items.map(broadcasts.observe))).map(show) }
    },
    getBroadcast: async ({ apiKey, broadcastId }) => show(await broadcasts.observe(find(apiKey, broadcastId))),
    setBroadcastLayout({ apiKey, broadcastId, body }) {
      refuseUndrawable(body)
      broadcasts.setLayout(findRunning(apiKey, broadcastId).id, body)
      return undefined
    },
    changeBroadcastStreams({ apiKey, broadcastId, body }) {
      const broadcast = findRunning(apiKey, broadcastId)
      broadcasts.setStreams(broadcast.id, changeChoices(store, broadcast, body))
      return undefined
    },
  }
}

/** Accepts the 32 hexadecimal digits that older directories have as ids. */
const isFormerId = (id: string) => /^[0-9a-f]{32}$/.test(id)

const seconds = (ms: number) => Math.floor(ms / 1000)

/** @throws {@link Refusal} 400 for a URL that names no host */
function addressOutputs(targets: readonly NewTarget[] | undefined, ids: Ids): BroadcastRecord['rtmp'] {
  return targets?.map(({ id = ids.uuid(), serverUrl, streamName }, index) => {
    if (!readRtmpUrl(serverUrl))
      throw new Refusal(400, `outputs.rtmp.${index}.serverUrl must be rtmp://host/app or rtmps://host/app.`)
    return { id, serverUrl, streamName, status: 'connecting' }
  })
}

type NewTarget = Omit<RtmpTarget, 'id'> & { readonly id?: string | undefined }

export function showBroadcast(
  broadcast: BroadcastRecord,
  publicUrl: string,
  rtmpForm: RtmpForm = 'object',
): SentBroadcast {
  const { id, sessionId, projectId, createdAt, updatedAt, resolution, status, tag, maxDuration, hls, rtmp } = broadcast
  const served = `${publicUrl}/broadcasts/${id}/${hls?.hasLadder ? LADDER_FILE : PLAYLIST_FILE}${hls?.dvr ? '?DVR' : ''}`
  const playlist = hls?.origin === undefined ? served : mirroredPlaylist(hls.origin, hls)
  return {
    id,
    sessionId,
    ...keysOf(projectId),
    createdAt,
    updatedAt,
    resolution,
    status,
    streamMode: broadcast.streams ? 'manual' : 'auto',
    ...(broadcast.streams && status === 'started' && { streams: showChoices(broadcast.streams) }),
    maxDuration,
    multiBroadcastTag: tag,
    broadcastUrls:
      status === 'stopped'
        ? null
        : { ...(hls && { hls: playlist, hlsStatus: hls.status }), ...(rtmp && { rtmp: showRtmp(rtmp, rtmpForm) }) },
    ...(hls && { settings: { hls: { dvr: hls.dvr, lowLatency: hls.lowLatency } } }),
  }
}

/** Returns the address of a playlist in a bucket, which ignores queries. */
const mirroredPlaylist = (origin: string, { hasLadder, dvr }: NonNullable<BroadcastRecord['hls']>) =>
  `${origin}/${hasLadder ? LADDER_FILE : dvr ? DVR_FILE : PLAYLIST_FILE}`

const showRtmp = (outputs: NonNullable<BroadcastRecord['rtmp']>, form: RtmpForm) =>
  form === 'array'
    ? outputs.map((output) => ({ ...output }))
    : Object.fromEntries(outputs.map(({ id, ...output }) => [id, output]))
