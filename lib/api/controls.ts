import { z } from 'zod'
import { exactlyOne, has, never } from '../platform/contract/schema-rules.ts'
import { signalOrder } from '../show/document/announcements.ts'
import { broadcastOrder } from '../show/document/broadcast.ts'
import { MAX_MARKER, markerTitle } from '../show/document/cue.ts'
import { dialInOrder, toneDigits } from '../show/document/dial-in.ts'
import { MAX_SHOW_SECONDS } from '../show/document/duration.ts'
import { layoutClasses } from '../show/document/fields/layout-classes.ts'
import { moment } from '../show/document/fields/moments.ts'
import { always } from '../show/document/fields/order-names.ts'
import { layoutChange, oneOf, streamsChange } from '../show/document/orders/changes.ts'
import type { ShowStatus } from '../show/state/state.ts'

/** Controls of one show, except stops: each is an entry of its state and of its timeline. */
export const MAX_CONTROLS = 1_000
/** Markers that may be set in one show while it is live. */
export const MAX_MARKERS = 100
/** Dial-ins that may be added to one show, and as many broadcasts. */
export const MAX_ADDED_ORDERS = 20

const streamId = z.string().min(1).max(200)
const connectionId = z.string().min(1).max(200)

/** Changes of a live show. The end is moved last, when every other change has succeeded. */
const showChange = z
  .strictObject({
    duration: z
      .int()
      .min(1)
      .max(MAX_SHOW_SECONDS)
      .optional()
      .describe('Seconds of live time in total, counted as in the show document: extends or shortens the show.'),
    endsAt: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-12-01T19:00:00Z' })
      .optional()
      .describe('The end of the show, instead of duration.'),
    layouts: z.array(layoutChange).max(50).default([]).describe('Up to 50 changes of layouts.'),
    streams: z
      .array(streamsChange)
      .max(100)
      .default([])
      .describe('Up to 100 changes of the streams in recordings and broadcasts with streamMode manual, in this order.'),
  })
  .superRefine(({ duration, endsAt, layouts, streams }, context) => {
    if (duration !== undefined && endsAt !== undefined)
      context.addIssue({ code: 'custom', message: 'duration and endsAt exclude each other' })
    if (duration === undefined && endsAt === undefined && !layouts?.length && !streams?.length)
      context.addIssue({ code: 'custom', message: 'needs duration, endsAt, layouts or streams' })
  }, always)
  .meta({
    ...never(has({ duration: {}, endsAt: {} })),
    anyOf: [
      has({ duration: {} }),
      has({ endsAt: {} }),
      has({ layouts: { minItems: 1 } }),
      has({ streams: { minItems: 1 } }),
    ],
  })

const signal = signalOrder.extend({
  connectionId: connectionId.optional().describe('Connection of the receiver. Default: all participants.'),
})

const mute = z
  .strictObject({
    streamId: streamId.optional().describe('Mutes this one stream.'),
    active: z
      .boolean()
      .optional()
      .describe(
        'true mutes every stream, including later ones; false stops muting later ones, and leaves muted streams muted.',
      ),
    excludedStreamIds: z.array(streamId).max(1_000).optional().describe('Streams that active true does not mute.'),
  })
  .superRefine(oneOf('streamId', 'active'), always)
  .superRefine(({ active, excludedStreamIds }, context) => {
    if (active !== true && excludedStreamIds !== undefined)
      context.addIssue({ code: 'custom', path: ['excludedStreamIds'], message: 'is only allowed with active true' })
  }, always)
  .meta({
    ...exactlyOne('streamId', 'active'),
    ...never(has({ streamId: {}, excludedStreamIds: {} }), has({ active: { const: false }, excludedStreamIds: {} })),
  })

const streamClasses = z.strictObject({
  streamId: streamId.describe('The stream.'),
  layoutClasses: layoutClasses.describe('Up to 10 layout classes, which replace the former ones; none when empty.'),
})

const layoutClassChange = z.strictObject({
  streams: z
    .array(streamClasses)
    .min(1)
    .max(100)
    .describe('1 to 100 streams, which are arranged again in every recording and broadcast.'),
})

const tones = z.strictObject({
  digits: toneDigits,
  connectionId: connectionId
    .optional()
    .describe('Connection of the receiver, such as a dial-in. Default: every client.'),
})

const marker = z.strictObject({
  label: markerTitle.describe(`Title of the chapter that begins there: one line of up to ${MAX_MARKER} characters.`),
  at: moment
    .optional()
    .describe('Seconds of live time, or a time (RFC 3339), before the planned end of the show. Default: now.'),
})

const disconnection = z.strictObject({
  connectionId: connectionId.describe('The connection to close. With a valid token the participant can connect again.'),
})

export interface ControlDefinition {
  readonly summary: string
  readonly body: z.ZodType
  /** Statuses of a show in which it is carried out. */
  readonly during: readonly ShowStatus[]
  /** Whether a second platform call would have a second effect: then a control in progress is not started again. */
  readonly repeats?: true
}

/** Every control by name. One Idempotency-Key carries a control out once; without a key each request is a new control. */
export const controls = {
  stop: {
    summary: 'Stop a show at once.',
    body: z.strictObject({}),
    during: ['starting', 'waiting', 'live'],
  },
  change: {
    summary: 'Extend or shorten a live show, change layouts and streams.',
    body: showChange,
    during: ['live'],
  },
  signal: {
    summary: 'Send a signal to all participants of a show, or to one.',
    body: signal,
    during: ['waiting', 'live'],
    repeats: true,
  },
  mute: {
    summary: 'Mute one stream of a show, or all streams.',
    body: mute,
    during: ['waiting', 'live'],
  },
  layoutClasses: {
    summary: 'Set the layout classes of streams, by which layouts arrange them.',
    body: layoutClassChange,
    during: ['waiting', 'live'],
  },
  tones: {
    summary: 'Play tones to one connection of a show, or to all clients.',
    body: tones,
    during: ['waiting', 'live'],
    repeats: true,
  },
  disconnect: {
    summary: 'Disconnect a participant or a dial-in from a show.',
    body: disconnection,
    during: ['waiting', 'live'],
  },
  dialIn: {
    summary: 'Call a telephone into a show.',
    body: dialInOrder,
    during: ['waiting', 'live'],
    repeats: true,
  },
  broadcast: {
    summary: 'Add a broadcast to a live show.',
    body: broadcastOrder,
    during: ['live'],
  },
  stopBroadcast: {
    summary: 'Stop one broadcast of a live show.',
    body: z.strictObject({}),
    during: ['live'],
  },
  pause: {
    summary: 'Pause a recording of a live show.',
    body: z.strictObject({}),
    during: ['live'],
  },
  resume: {
    summary: 'Resume a recording that is paused.',
    body: z.strictObject({}),
    during: ['live'],
  },
  marker: {
    summary: 'Set a marker, at which a chapter of the recordings begins.',
    body: marker,
    during: ['live'],
  },
} as const satisfies Record<string, ControlDefinition>

export type ControlName = keyof typeof controls
export type ControlBody<Name extends ControlName> = z.output<(typeof controls)[Name]['body']>
