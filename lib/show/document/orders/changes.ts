import { z } from 'zod'
import { nextLayout } from '../../../platform/contract/layouts.ts'
import { always, orderName } from '../fields/order-names.ts'

const streamId = z.string().min(1).max(200)

const composed = {
  recording: orderName.optional().describe('Name of the recording it is about.'),
  broadcast: orderName.optional().describe('Name of the broadcast it is about.'),
}

/** For superRefine: exactly one of two fields is given. */
export const oneOf =
  (one: string, other: string) =>
  (value: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    if ((value[one] === undefined) === (value[other] === undefined))
      context.addIssue({ code: 'custom', message: `needs either ${one} or ${other}` })
  }

export const layoutChange = z
  .strictObject({ ...composed, layout: nextLayout.strict().describe('How its picture is arranged from now on.') })
  .superRefine(oneOf('recording', 'broadcast'), always)
export type LayoutChange = z.output<typeof layoutChange>

export const streamsChange = z
  .strictObject({
    ...composed,
    addStream: streamId.optional().describe('A stream to take; one that is taken already changes its tracks.'),
    removeStream: streamId.optional().describe('A stream to take no longer.'),
    hasAudio: z.boolean().optional().describe('Whether its audio is taken; true unless told.'),
    hasVideo: z.boolean().optional().describe('Whether its picture is taken; true unless told.'),
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
export type StreamsChange = z.output<typeof streamsChange>

/** Changes that take longer than one request, as far as they are made; the watch machine makes the rest. */
export const pendingChanges = z.object({
  layouts: z.array(layoutChange),
  streams: z.array(streamsChange),
  /** How many are made: of the layouts first, then of the streams. */
  made: z.int(),
  /** Ids of archives and broadcasts that ran at the first of them: what began later gets all of them afterwards. */
  targets: z.array(z.string()),
  /** Ids of those in which all are made already. */
  leaveOut: z.array(z.string()),
  /** When the show ends once all are made, where that was asked as well. */
  plannedEndAt: z.iso.datetime().optional(),
})
export type PendingChanges = z.output<typeof pendingChanges>
