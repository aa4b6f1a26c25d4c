import { z } from 'zod'
import { causes, commonErrors } from './errors.ts'
import { chosenStream, layout, nextLayout, resolution, streamChange, streamMode, streamModes } from './layouts.ts'
import { limits, quantity } from './limits.ts'
import type { Operation } from './operation.ts'
import { listOf, listQuery } from './paging.ts'
import { sentKey } from './projects.ts'
import { has, never, when } from './schema-rules.ts'

export const broadcastStatuses = ['started', 'stopped', 'failed'] as const
export type BroadcastStatus = (typeof broadcastStatuses)[number]

export const rtmpStatuses = ['connecting', 'live', 'offline', 'error'] as const
export type RtmpStatus = (typeof rtmpStatuses)[number]

export const hlsStatuses = ['connecting', 'ready', 'live', 'ended', 'error'] as const
export type HlsStatus = (typeof hlsStatuses)[number]

export const rtmpOutput = z.looseObject({
  id: z.string().optional(),
  status: z.enum(rtmpStatuses).optional(),
  serverUrl: z.string(),
  streamName: z.string(),
})

/** startBroadcast answers an array. Reads answer an object keyed by id, or an array on some deployments. */
const rtmpOutputs = z.union([z.array(rtmpOutput), z.record(z.string(), rtmpOutput)])

const hlsSettings = z.object({
  dvr: z.boolean().default(false).describe('Keeps earlier segments in the playlist.'),
  lowLatency: z.boolean().default(false).describe('Reduces the latency; excludes dvr.'),
})

/** The requested settings of a broadcast's HLS output. */
export const hlsState = z.looseObject({ dvr: z.boolean(), lowLatency: z.boolean() })

export const broadcast = z
  .looseObject({
    id: z.string(),
    sessionId: z.string(),
    projectId: sentKey(),
    /** The API key under its older name. Not every deployment sends it. */
    partnerId: sentKey().nullish(),
    /** Milliseconds since the epoch, but seconds in the answer of stopBroadcast. */
    createdAt: z.int(),
    updatedAt: z.int(),
    resolution: resolution.optional(),
    /** Outputs are `live`. Some deployments use that status for the broadcast as well. */
    status: z.enum([...broadcastStatuses, 'live']),
    streamMode: z.enum(streamModes).default('auto'),
    streams: z.array(chosenStream).optional(),
    /** Seconds. */
    maxDuration: z.int().optional(),
    multiBroadcastTag: z.string().optional(),
    /** Null after the broadcast has stopped. */
    broadcastUrls: z
      .looseObject({
        /** URL of an .m3u8. Do not request it until 15 to 20 s after the start. */
        hls: z.string().optional(),
        hlsStatus: z.enum(hlsStatuses).optional(),
        rtmp: rtmpOutputs.optional(),
      })
      .nullish(),
    settings: z.looseObject({ hls: hlsState.optional() }).optional(),
  })
  .meta({ id: 'Broadcast', description: 'One live stream of a session to HLS and RTMP.' })

export type Broadcast = z.infer<typeof broadcast>
export type SentBroadcast = z.input<typeof broadcast>

/** Refuses HLS with both a full playlist and a low latency. */
export const hlsRules = never(has({ dvr: { const: true }, lowLatency: { const: true } }))

const rtmpTarget = z.object({
  id: z.string().min(1).optional().describe('Unique within the broadcast.'),
  serverUrl: z.url({ protocol: /^rtmps?$/ }).meta({ pattern: '^\\s*[Rr][Tt][Mm][Pp][Ss]?:' }),
  streamName: z.string().min(1),
})

const startBroadcastBody = z.object({
  sessionId: z.string().min(1),
  layout: layout.optional(),
  multiBroadcastTag: z.string().optional().describe('Tag that distinguishes simultaneous broadcasts of a session.'),
  maxDuration: z
    .int()
    .min(limits.broadcastDurationMin.value)
    .max(limits.broadcastDurationMax.value)
    .default(limits.broadcastDurationDefault.value)
    .describe('Seconds after which the broadcast stops.'),
  outputs: z
    .object({
      hls: hlsSettings
        .refine((hls) => !(hls.dvr && hls.lowLatency), { message: 'dvr and lowLatency exclude each other' })
        .meta(hlsRules)
        .optional(),
      rtmp: z
        .union([z.array(rtmpTarget).max(limits.rtmpTargets.value), rtmpTarget.transform((target) => [target])])
        .refine(hasUniqueIds, { message: 'ids must be unique' })
        .transform((targets) => (targets.length > 0 ? targets : undefined)) // existing SDKs send none as an empty array
        .optional(),
    })
    .refine((outputs) => outputs.hls || outputs.rtmp, { message: 'needs hls, rtmp or both' })
    .meta(when(never(has({ hls: {} })), has({ rtmp: { minItems: 1 } }))),
  resolution: resolution.default('640x480'),
  streamMode: streamMode('changeBroadcastStreams'),
})

function hasUniqueIds(targets: readonly { id?: string | undefined }[]): boolean {
  const ids = targets.flatMap(({ id }) => id ?? [])
  return new Set(ids).size === ids.length
}

const started = {
  id: '1748b707-0a81-464c-9759-c46ad10d3734',
  sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
  projectId: 100001,
  partnerId: 100001,
  createdAt: 1795166400000,
  updatedAt: 1795166400000,
  resolution: '640x480',
  status: 'started',
  streamMode: 'auto',
  maxDuration: 14400,
  multiBroadcastTag: 'live',
  broadcastUrls: {
    hls: 'https://cdn.example.com/1748b707-0a81-464c-9759-c46ad10d3734/index.m3u8',
    hlsStatus: 'connecting',
  },
  settings: { hls: { dvr: false, lowLatency: false } },
} as const

export const broadcastOperations = {
  startBroadcast: {
    id: 'E21',
    summary: 'Starts a broadcast of a routed session that has a client connected.',
    limits: [
      `A broadcast has at most one HLS output and ${limits.rtmpTargets.value} RTMP outputs.`,
      `The HLS playlist may be requested ${quantity(limits.hlsWarmUp)} after the start.`,
      `A broadcast stops ${quantity(limits.emptySession)} after the last client left.`,
    ],
    method: 'POST',
    path: '/v2/project/{apiKey}/broadcast',
    body: startBroadcastBody,
    repeatable: false,
    success: { status: 200, response: broadcast },
    errors: {
      ...commonErrors,
      400: 'Invalid JSON or field, custom layout without stylesheet, dvr with lowLatency, or more than five RTMP targets.',
      404: causes.notConnected,
      409: 'Session not routed, already broadcast without a multiBroadcastTag, or the tag is not unique.',
    },
    example: {
      request: { sessionId: started.sessionId, multiBroadcastTag: 'live', outputs: { hls: {} } },
      response: started,
    },
  },
  stopBroadcast: {
    id: 'E22',
    summary: 'Stops a broadcast. The platform answers its times in seconds, which the client converts to milliseconds.',
    method: 'POST',
    path: '/v2/project/{apiKey}/broadcast/{broadcastId}/stop',
    repeatable: true, // a repetition is answered 404
    success: { status: 200, response: broadcast },
    errors: {
      ...commonErrors,
      400: 'Invalid broadcast id, or a body that is not valid JSON.',
      404: 'Broadcast not found, or already stopped.',
    },
    example: {
      request: { broadcastId: started.id },
      response: {
        ...started,
        createdAt: 1795166400,
        updatedAt: 1795166460,
        status: 'stopped',
        streams: [],
        broadcastUrls: null,
      },
    },
  },
  listBroadcasts: {
    id: 'E23',
    summary: 'Lists the broadcasts in progress, newest first.',
    method: 'GET',
    path: '/v2/project/{apiKey}/broadcast',
    query: listQuery,
    repeatable: true,
    success: { status: 200, response: listOf(broadcast) },
    errors: { ...commonErrors, 400: 'Invalid offset or count.' },
    example: { request: { sessionId: started.sessionId }, response: { count: 1, items: [started] } },
  },
  getBroadcast: {
    id: 'E24',
    summary: 'Returns one broadcast.',
    method: 'GET',
    path: '/v2/project/{apiKey}/broadcast/{broadcastId}',
    repeatable: true,
    success: { status: 200, response: broadcast },
    errors: { ...commonErrors, 400: 'Invalid broadcast id.', 404: 'Broadcast not found.' },
    example: { request: { broadcastId: started.id }, response: started },
  },
  setBroadcastLayout: {
    id: 'E25',
    summary: 'Changes the layout of a broadcast while it is live.',
    method: 'PUT',
    path: '/v2/project/{apiKey}/broadcast/{broadcastId}/layout',
    body: nextLayout,
    repeatable: true,
    success: { status: 200 },
    errors: { ...commonErrors, 400: 'Invalid broadcast id, JSON or layout.', 404: 'Broadcast not found.' },
    example: { request: { broadcastId: started.id, type: 'horizontalPresentation' } },
  },
  changeBroadcastStreams: {
    id: 'E26',
    summary:
      'Adds a stream to a broadcast of stream mode manual, changes which of its tracks are broadcast, or removes it.',
    method: 'PATCH',
    path: '/v2/project/{apiKey}/broadcast/{broadcastId}/streams',
    body: streamChange,
    repeatable: true, // a repetition sets the same streams
    success: { status: 204 },
    errors: {
      ...commonErrors,
      400: 'Invalid broadcast id or JSON, neither or both of addStream and removeStream, or neither audio nor video.',
      404: 'Broadcast or stream not found.',
      405: 'The broadcast selects its streams automatically: its stream mode is auto.',
    },
    example: { request: { broadcastId: started.id, removeStream: '8b732909-0a06-46a2-8ea8-074e64d43422' } },
  },
} as const satisfies Record<string, Operation>
