import { z } from 'zod'
import { archiveStatuses, outputModes } from '../platform/contract/archives.ts'
import { broadcastStatuses } from '../platform/contract/broadcasts.ts'
import { type CallbackKind, callbacks } from '../platform/contract/callbacks.ts'
import { callStates } from '../platform/contract/calls.ts'
import { composerStatuses } from '../platform/contract/composers.ts'
import { resolutions } from '../platform/contract/layouts.ts'
import { orOther } from '../platform/contract/open-values.ts'
import { videoTypes } from '../platform/contract/streams.ts'

/** Source of the platform's events on the stack's own bus. */
export const PLATFORM_EVENT_SOURCE = 'showrunner.platform'
/** Source of verified callbacks that wait to be handled; internal to the stack. */
export const RECEIVED_CALLBACK_SOURCE = 'showrunner.received'

/** The last segments of callback URLs, and the kinds that each receives, with a secret each. `all` receives every kind. */
export const receivers = {
  archive: ['archive'],
  broadcast: ['broadcast'],
  composer: ['composer'],
  sip: ['call'],
  session: ['connection', 'stream'],
  all: ['archive', 'broadcast', 'composer', 'call', 'connection', 'stream'],
} as const satisfies Record<string, readonly CallbackKind[]>

/** The route that the platform posts to. It has no authorizer, because callbacks are signed. */
export const CALLBACK_ROUTE = 'POST /callbacks/{kind}'

/** The last segment of a callback URL. */
export type Receiver = keyof typeof receivers

/** The secrets of the callbacks that are registered. */
export const receiverSecrets = z.partialRecord(z.enum(Object.keys(receivers) as Receiver[]), z.string().min(1))

const { archive, broadcast, composer, connection, stream } = callbacks
const connected = connection.body.shape.connection.strip()
const ofCall = { ...connection.body.pick({ sessionId: true, projectId: true, timestamp: true }).shape }
const call = z.object({
  id: z.string().describe('Id of the conference.'),
  connectionId: z.string().describe('Connection id of the SIP client.'),
  createdAt: z.int(),
})

/** The published fields of each callback: neither links to files nor stream keys. */
const published = {
  archive: archive.body
    .omit({ url: true })
    .extend({ status: orOther(archiveStatuses), outputMode: orOther(outputModes) })
    .strip(),
  broadcast: z.object({
    ...broadcast.body.pick({ event: true, id: true, sessionId: true, projectId: true, createdAt: true }).shape,
    ...broadcast.body.pick({ updatedAt: true, maxDuration: true, multiBroadcastTag: true }).shape,
    resolution: orOther(resolutions).optional(),
    status: orOther([...broadcastStatuses, 'live']),
  }),
  composer: composer.body.extend({ status: orOther(composerStatuses) }).strip(),
  connection: connection.body.extend({ connection: connected }).strip(),
  stream: stream.body
    .extend({
      stream: stream.body.shape.stream
        .extend({ connection: connected.optional(), videoType: orOther(videoTypes) })
        .strip(),
    })
    .strip(),
  call: z.discriminatedUnion(
    'event',
    callbacks.call.body.options.map((form) =>
      z.object({ ...form.shape, ...('state' in form.shape && { state: orOther(callStates) }), ...ofCall, call }),
    ) as never,
  ) as z.ZodType<z.output<typeof callbacks.call.body>>,
} as const satisfies Record<CallbackKind, z.ZodType>

const eventOf = <Kind extends CallbackKind, Callback extends z.ZodType>(kind: Kind, callback: Callback) =>
  z.object({
    version: z.literal(1),
    kind: z.literal(kind).describe('Also the event’s detail-type.'),
    id: z.string().describe('To deduplicate by: SHA-256 of the callback’s body, in lower-case hexadecimal.'),
    receivedAt: z.iso.datetime(),
    callback: callback.describe(`The callback that the platform sent on ${callbacks[kind].on}.`),
  })

/** Schemas of the platform's events: the `detail` of an event on the stack's own bus, whose `detail-type` is the kind. */
export const platformEvents = {
  archive: eventOf('archive', published.archive),
  broadcast: eventOf('broadcast', published.broadcast),
  composer: eventOf('composer', published.composer),
  connection: eventOf('connection', published.connection),
  stream: eventOf('stream', published.stream),
  call: eventOf('call', published.call),
} as const satisfies Record<CallbackKind, z.ZodType>

export type PlatformEvent = { [Kind in CallbackKind]: z.output<(typeof platformEvents)[Kind]> }[CallbackKind]
