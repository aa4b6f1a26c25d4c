import { z } from 'zod'
import { layoutRules, neitherTrack, nextLayout } from '../../../platform/contract/layouts.ts'
import { all, exactlyOne, has, never } from '../../../platform/contract/schema-rules.ts'
import { always, orderName } from '../fields/order-names.ts'

const streamId = z.string().min(1).max(200)

const composed = {
  recording: orderName.optional().describe('Name of the recording to change.'),
  broadcast: orderName.optional().describe('Name of the broadcast to change.'),
}

/** Returns a `superRefine` that requires exactly one of two fields. */
export const oneOf =
  (one: string, other: string) =>
  (value: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    if ((value[one] === undefined) === (value[other] === undefined))
      context.addIssue({ code: 'custom', message: `needs either ${one} or ${other}` })
  }

/** A change of the layout of a running recording or broadcast. */
export const layoutChange = z
  .strictObject({
    ...composed,
    layout: nextLayout.strict().meta(layoutRules).describe('New arrangement of the picture.'),
  })
  .superRefine(oneOf('recording', 'broadcast'), always)
  .meta(exactlyOne('recording', 'broadcast'))
export type LayoutChange = z.output<typeof layoutChange>

/** A change of the streams of a running recording or broadcast with stream mode `manual`. */
export const streamsChange = z
  .strictObject({
    ...composed,
    addStream: streamId.optional().describe('A stream to add, or to change its tracks.'),
    removeStream: streamId.optional().describe('A stream to remove.'),
    hasAudio: z.boolean().optional().describe('Whether its audio is included; true by default.'),
    hasVideo: z.boolean().optional().describe('Whether its video is included; true by default.'),
  })
  .superRefine(oneOf('recording', 'broadcast'), always)
  .superRefine(oneOf('addStream', 'removeStream'), always)
  .superRefine(({ removeStream, ...tracks }, context) => {
    for (const track of ['hasAudio', 'hasVideo'] as const)
      if (removeStream !== undefined && tracks[track] !== undefined)
        context.addIssue({ code: 'custom', path: [track], message: 'is only for addStream' })
    if (tracks.hasAudio === false && tracks.hasVideo === false)
      context.addIssue({ code: 'custom', message: 'hasAudio and hasVideo must not both be false' })
  }, always)
  .meta({
    ...all(exactlyOne('recording', 'broadcast'), exactlyOne('addStream', 'removeStream')),
    ...never(neitherTrack, has({ removeStream: {}, hasAudio: {} }), has({ removeStream: {}, hasVideo: {} })),
  })
export type StreamsChange = z.output<typeof streamsChange>

/** Changes that take longer than one request, with their progress. The watch machine continues them. */
export const pendingChanges = z.object({
  layouts: z.array(layoutChange),
  streams: z.array(streamsChange),
  /** Number of changes that are made: first the layouts, then the streams. */
  made: z.int(),
  /** Ids of archives and broadcasts that ran at the first change. Later ones get all changes afterwards. */
  targets: z.array(z.string()),
  /** Ids of archives and broadcasts in which all changes are made. */
  leaveOut: z.array(z.string()),
  /** The planned end to set once all changes are made, if the request moved it. */
  plannedEndAt: z.iso.datetime().optional(),
})
export type PendingChanges = z.output<typeof pendingChanges>
