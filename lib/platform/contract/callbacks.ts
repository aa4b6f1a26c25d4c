import { z } from 'zod'
import { archive, archiveReasons } from './archives.ts'
import { broadcast } from './broadcasts.ts'
import { callEndings, callStates } from './calls.ts'
import { composer, composerReasons } from './composers.ts'
import { stream } from './streams.ts'

/** The signature of a callback (docs/platform/callbacks.md#signature). */
export const callbackSigning = {
  header: 'Authorization',
  scheme: 'Bearer',
  /** The key is the secret of the callback, not that of the project. */
  algorithm: 'HS256',
} as const

/** Claims of a callback's token; times in Unix seconds. */
export const callbackClaims = z.looseObject({
  iat: z.int(),
  exp: z.int(),
  /** SHA-256 of the body's bytes. */
  payload_hash: z.string().regex(/^[0-9a-f]{64}$/),
})

export const archiveCallback = z.looseObject({
  ...archive.omit({ resolution: true, streamMode: true, streams: true, multiArchiveTag: true }).shape,
  event: z.literal('archive'),
  updatedAt: z.int(),
})

const broadcastCallback = z.looseObject({ ...broadcast.shape, event: z.literal('broadcast') })

const composerCallback = z.looseObject({
  ...composer.pick({ id: true, sessionId: true, projectId: true, streamId: true, status: true, reason: true }).shape,
  event: z.literal('render'),
})

const ofSession = {
  sessionId: z.string(),
  projectId: archive.shape.projectId,
  /** Milliseconds since the epoch. */
  timestamp: z.int(),
}

/** A client's connection. `data` is the connection data of its token. */
export const connection = z.looseObject({ id: z.string(), createdAt: z.int(), data: z.string().optional() })

/** Reasons why a client or a stream left its session. */
export const departureReasons = ['clientDisconnected', 'forceDisconnected', 'networkDisconnected'] as const

const connectionCallback = z.looseObject({
  ...ofSession,
  event: z.enum(['connectionCreated', 'connectionDestroyed']),
  connection,
  /** When destroyed. */
  reason: z.string().optional(),
})

const streamCallback = z.looseObject({
  ...ofSession,
  event: z.enum(['streamCreated', 'streamDestroyed']),
  stream: z.looseObject({
    ...stream.pick({ id: true, name: true, videoType: true }).shape,
    createdAt: z.int(),
    connection: connection.optional(),
  }),
  /** When destroyed. */
  reason: z.string().optional(),
})

const ofCall = {
  ...ofSession,
  /** `id` identifies the conference, `connectionId` the SIP client. */
  call: z.looseObject({ id: z.string(), connectionId: z.string(), createdAt: z.int() }),
}

const callCallback = z.discriminatedUnion('event', [
  z.looseObject({ ...ofCall, event: z.enum(['callCreated', 'muteForced']) }),
  z.looseObject({ ...ofCall, event: z.literal('callUpdated'), state: z.enum(callStates) }),
  z.looseObject({
    ...ofCall,
    event: z.literal('callDestroyed'),
    /** A SIP response code, or one of `callEndings`. */
    reason_code: z.int(),
    reason_message: z.string(),
  }),
])

const ids = { sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4', projectId: '100001' } as const
/** The key in archives and broadcasts. */
const keys = { projectId: 100001, partnerId: 100001 } as const
const times = { createdAt: 1795166400000, updatedAt: 1795166461000 } as const
const client = { id: '20ab1d8e-3d0b-4ba4-8c12-4a7e6b7a3c11', createdAt: 1795166400000, data: 'Ada' } as const

interface Callback {
  /** When the platform sends it. */
  readonly on: string
  readonly body: z.ZodType
  readonly example: Readonly<Record<string, unknown>>
}

/** Every callback: a POST of JSON to the URL that is registered for the project. Any callback may be delivered twice. */
export const callbacks = {
  archive: {
    on: 'each change of an archive’s status',
    body: archiveCallback,
    example: {
      id: 'b40ef09b-3811-4726-b508-e41a0f96c68f',
      event: 'archive',
      status: 'uploaded',
      name: 'program',
      reason: archiveReasons.userInitiated,
      ...ids,
      ...keys,
      ...times,
      size: 6_291_456,
      duration: 60,
      outputMode: 'composed',
      hasAudio: true,
      hasVideo: true,
      sha256sum: 'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=',
      url: null,
    },
  },
  broadcast: {
    on: 'a broadcast’s start, update and end',
    body: broadcastCallback,
    example: {
      id: '1748b707-0a81-464c-9759-c46ad10d3734',
      event: 'broadcast',
      ...ids,
      ...keys,
      ...times,
      resolution: '640x480',
      status: 'stopped',
      streamMode: 'auto',
      maxDuration: 14_400,
      broadcastUrls: null,
    },
  },
  composer: {
    on: 'a composer’s end',
    body: composerCallback,
    example: {
      id: '80abaf0d-25a3-4efc-968f-6268d620668d',
      event: 'render',
      ...ids,
      streamId: 'e32445b7-43e1-4b6b-9d6c-0d6a2d0e7f15',
      status: 'stopped',
      reason: composerReasons.stopRequested,
    },
  },
  connection: {
    on: 'a client’s connection and disconnection',
    body: connectionCallback,
    example: {
      ...ids,
      event: 'connectionDestroyed',
      timestamp: times.updatedAt,
      connection: client,
      reason: 'clientDisconnected' satisfies (typeof departureReasons)[number],
    },
  },
  stream: {
    on: 'a stream’s start and end',
    body: streamCallback,
    example: {
      ...ids,
      event: 'streamCreated',
      timestamp: times.createdAt,
      stream: {
        id: '8b732909-0a06-46a2-8ea8-074e64d43422',
        name: 'Ada',
        videoType: 'camera',
        createdAt: times.createdAt,
        connection: client,
      },
    },
  },
  call: {
    on: 'a SIP call’s creation, each state, each forced mute if it observes them, and its end',
    body: callCallback,
    example: {
      ...ids,
      event: 'callDestroyed',
      timestamp: times.updatedAt,
      reason_code: 700,
      reason_message: callEndings[700],
      call: {
        id: 'b0a5a8c7-dc38-459f-a48d-a7f2008da853',
        connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007',
        createdAt: times.createdAt,
      },
    },
  },
} as const satisfies Record<string, Callback>

/** Kind of a callback, by the resource that it is about. */
export type CallbackKind = keyof typeof callbacks

const kinds = new Map<string, CallbackKind>([
  ['archive', 'archive'],
  ['broadcast', 'broadcast'],
  ['render', 'composer'],
  ...(['connectionCreated', 'connectionDestroyed'] as const).map((event) => [event, 'connection'] as const),
  ...(['streamCreated', 'streamDestroyed'] as const).map((event) => [event, 'stream'] as const),
  ...(['callCreated', 'callUpdated', 'callDestroyed', 'muteForced'] as const).map((event) => [event, 'call'] as const),
])

/** Returns the kind of callback that sends an event; undefined for an event that this version does not know. */
export const kindOfEvent = (event: string): CallbackKind | undefined => kinds.get(event)
export type CallbackBody<Kind extends CallbackKind> = z.output<(typeof callbacks)[Kind]['body']>
export type SentCallback<Kind extends CallbackKind> = z.input<(typeof callbacks)[Kind]['body']>
