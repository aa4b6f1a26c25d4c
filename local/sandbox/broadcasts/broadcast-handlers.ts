import type { broadcastOperations, SentBroadcast } from '../../../lib/platform/contract/broadcasts.ts'
import { refuseUndrawable } from '../composed/drawable-layouts.ts'
import { changeChoices, showChoices } from '../composed/stream-selection.ts'
import type { Handlers, Platform, RtmpForm } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import type { RtmpTarget } from '../media/media.ts'
import { readRtmpUrl } from '../media/rtmp/address.ts'
import { admitSession, admitTag } from '../participants/admission.ts'
import { type Ids, isUuid, keysOf } from '../state/ids.ts'
import type { BroadcastRecord } from '../state/records.ts'

export function broadcastHandlers(platform: Platform): Handlers<keyof typeof broadcastOperations> {
  const { store, ids, attendance, broadcasting, publicUrl, rtmpForm } = platform
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

  /** @throws Refusal 404 also for one that is over */
  function findRunning(apiKey: string, id: string): BroadcastRecord {
    const broadcast = find(apiKey, id)
    if (broadcast.status !== 'started') throw new Refusal(404, `Broadcast not found: it is ${broadcast.status}.`)
    return broadcast
  }

  return {
    async startBroadcast({ apiKey, body }) {
      const { sessionId, multiBroadcastTag: tag, resolution, maxDuration, outputs } = body
      const { layout = { type: 'bestFit' as const } } = body
      const streams = body.streamMode === 'manual' ? [] : undefined
      refuseUndrawable(layout)
      admitSession(store, attendance, apiKey, sessionId)
      admitTag('multiBroadcastTag', tag, broadcasting.running(sessionId))
      const hls = outputs.hls && { ...outputs.hls, status: 'connecting' as const }
      const described = {
        sessionId,
        tag,
        resolution,
        layout,
        streams,
        maxDuration,
        hls,
        rtmp: addressOutputs(outputs.rtmp, ids),
      }
      const started = await broadcasting.start({ id: ids.uuid(), projectId: apiKey, ...described })
      return showBroadcast(started, publicUrl(), 'array')
    },
    stopBroadcast({ apiKey, broadcastId }) {
      const { id } = findRunning(apiKey, broadcastId)
      const { createdAt, updatedAt, ...stopped } = showBroadcast(broadcasting.stop(id), publicUrl())
      return { ...stopped, createdAt: seconds(createdAt), updatedAt: seconds(updatedAt), streams: [] }
    },
    async listBroadcasts({ apiKey, query: { offset, count, sessionId } }) {
      const match = { projectId: apiKey, sessionId, status: 'started' as const }
      const { total, items } = store.broadcasts.page(match, { offset, count })
      return { count: total, items: (await Promise.all(items.map(broadcasting.observe))).map(show) }
    },
    getBroadcast: async ({ apiKey, broadcastId }) => show(await broadcasting.observe(find(apiKey, broadcastId))),
    setBroadcastLayout({ apiKey, broadcastId, body }) {
      refuseUndrawable(body)
      broadcasting.setLayout(findRunning(apiKey, broadcastId).id, body)
      return undefined
    },
    changeBroadcastStreams({ apiKey, broadcastId, body }) {
      const broadcast = findRunning(apiKey, broadcastId)
      broadcasting.setStreams(broadcast.id, changeChoices(store, broadcast, body))
      return undefined
    },
  }
}

/** Ids were 32 digits once: directories of that time hold such records. */
const isFormerId = (id: string) => /^[0-9a-f]{32}$/.test(id)

const seconds = (ms: number) => Math.floor(ms / 1000)

/** @throws Refusal 400 for a URL that names no host */
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
  const playlist = `${publicUrl}/broadcasts/${id}/index.m3u8${hls?.dvr ? '?DVR' : ''}`
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

const showRtmp = (outputs: NonNullable<BroadcastRecord['rtmp']>, form: RtmpForm) =>
  form === 'array'
    ? outputs.map((output) => ({ ...output }))
    : Object.fromEntries(outputs.map(({ id, ...output }) => [id, output]))
