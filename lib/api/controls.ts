import { z } from 'zod'
import { signalOrder } from '../show/document/announcements.ts'
import { broadcastOrder } from '../show/document/broadcast.ts'
import { dialInOrder } from '../show/document/dial-in.ts'
import { toneDigits } from '../show/document/fields/dtmf-digits.ts'
import { layoutClasses } from '../show/document/fields/layout-classes.ts'
import { always } from '../show/document/fields/order-names.ts'
import { layoutChange, oneOf, streamsChange } from '../show/document/orders/changes.ts'
import { MAX_SHOW_SECONDS } from '../show/document/show.ts'
import type { ShowStatus } from '../show/state/state.ts'

/** How many controls one show takes, beside stopping: each stands in its state and in its timeline. */
export const MAX_CONTROLS = 1_000
/** How many dial-ins, and how many broadcasts, may be added to one show. */
export const MAX_ADDED_ORDERS = 20

const streamId = z.string().min(1).max(200)

/** Changes to a live show. The end moves last, once everything else has succeeded. */
const showChange = z
  .strictObject({
    duration: z
      .int()
      .min(1)
      .max(MAX_SHOW_SECONDS)
      .optional()
      .describe('Seconds of live time in all, counted as in the show: extends or shortens it.'),
    endsAt: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-12-01T19:00:00Z' })
      .optional()
      .describe('When it ends, instead of duration.'),
    layouts: z.array(layoutChange).max(50).default([]).describe('Other layouts, up to 50.'),
    streams: z
      .array(streamsChange)
      .max(100)
      .default([])
      .describe('Streams of recordings and broadcasts of streamMode manual, up to 100 changes, in this order.'),
  })
  .superRefine(({ duration, endsAt, layouts, streams }, context) => {
    if (duration !== undefined && endsAt !== undefined)
      context.addIssue({ code: 'custom', message: 'duration and endsAt exclude each other' })
    if (duration === undefined && endsAt === undefined && !layouts?.length && !streams?.length)
      context.addIssue({ code: 'custom', message: 'needs duration, endsAt, layouts or streams' })
  }, always)

const signal = signalOrder.extend({
  connectionId: z.string().min(1).max(200).optional().describe('Of the one who gets it; everybody unless told.'),
})

const mute = z
  .strictObject({
    streamId: streamId.optional().describe('Mutes this one stream.'),
    active: z
      .boolean()
      .optional()
      .describe(
        'true mutes every stream there is and every one that comes; false ends that, and leaves muted what is muted.',
      ),
    excludedStreamIds: z.array(streamId).max(1_000).optional().describe('With active true: these are not muted.'),
  })
  .superRefine(oneOf('streamId', 'active'), always)
  .superRefine(({ active, excludedStreamIds }, context) => {
    if (active !== true && excludedStreamIds !== undefined)
      context.addIssue({ code: 'custom', path: ['excludedStreamIds'], message: 'is only for active true' })
  }, always)

const connectionId = z.string().min(1).max(200)

const streamClasses = z.strictObject({
  streamId: streamId.describe('The stream.'),
  layoutClasses: layoutClasses.describe('All its layout classes from now on, up to 10; none when empty.'),
})

const layoutClassChange = z.strictObject({
  streams: z
    .array(streamClasses)
    .min(1)
    .max(100)
    .describe('1 to 100 streams; they are arranged anew in every recording and broadcast.'),
})

const tones = z.strictObject({
  digits: toneDigits,
  connectionId: connectionId.optional().describe('Who hears them, such as a dial-in; every client by default.'),
})

const disconnection = z.strictObject({
  connectionId: connectionId.describe('The connection to end; with a valid token the participant can connect again.'),
})

/** Something that is asked of a show while it runs. */
interface ControlDefinition {
  readonly summary: string
  readonly body: z.ZodType
  /** The states of a show in which it is carried out. */
  readonly during: readonly ShowStatus[]
  /** Whether the platform would do it twice when it is asked twice: then it is not begun again while it is under way. */
  readonly repeats: boolean
}

/** Every control by its name. Each is done once for one Idempotency-Key; without a key each request is another one. */
export const controls = {
  stop: {
    summary: 'Stop a show at once.',
    body: z.strictObject({}),
    during: ['starting', 'waiting', 'live'],
    repeats: false,
  },
  change: {
    summary: 'Extend or shorten a live show, change layouts and streams.',
    body: showChange,
    during: ['live'],
    repeats: false,
  },
  signal: {
    summary: 'Send a signal to everybody in a show, or to one.',
    body: signal,
    during: ['waiting', 'live'],
    repeats: true,
  },
  mute: {
    summary: 'Mute one stream of a show, or all.',
    body: mute,
    during: ['waiting', 'live'],
    repeats: false,
  },
  layoutClasses: {
    summary: 'Set the layout classes of streams, which choose who is prominent.',
    body: layoutClassChange,
    during: ['waiting', 'live'],
    repeats: false,
  },
  tones: {
    summary: 'Play tones to one connection of a show, or to all.',
    body: tones,
    during: ['waiting', 'live'],
    repeats: true,
  },
  disconnect: {
    summary: 'Make a participant or a dial-in leave a show.',
    body: disconnection,
    during: ['waiting', 'live'],
    repeats: false,
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
    repeats: false,
  },
} as const satisfies Record<string, ControlDefinition>

export type ControlName = keyof typeof controls
export type ControlBody<Name extends ControlName> = z.output<(typeof controls)[Name]['body']>
