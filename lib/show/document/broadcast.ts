import { z } from 'zod'
import { hlsRules } from '../../platform/contract/broadcasts.ts'
import { limits } from '../../platform/contract/limits.ts'
import { has, never, when } from '../../platform/contract/schema-rules.ts'
import { always, distinct, orderName } from './fields/order-names.ts'
import { plainUrl } from './fields/urls.ts'
import { picture } from './picture.ts'
import { secretReference } from './secret-reference.ts'

const hls = z
  .strictObject({
    dvr: z.boolean().default(false).describe('Lets viewers seek back to the beginning.'),
    lowLatency: z.boolean().default(false).describe('Shortens the delay for viewers; excludes dvr.'),
  })
  .superRefine(({ dvr, lowLatency }, context) => {
    if (dvr && lowLatency) context.addIssue({ code: 'custom', message: 'dvr and lowLatency exclude each other' })
  }, always)
  .meta(hlsRules)

const rtmpTarget = z.strictObject({
  id: orderName.describe('Unique within the broadcast.'),
  serverUrl: plainUrl(/^rtmps?$/, 'must be the URL of a server, rtmp:// or rtmps://').describe(
    'URL of the RTMP server with its application: rtmp:// or rtmps://, up to 2048 characters. It is stored and shown unchanged, so credentials belong in streamName.',
  ),
  streamName: secretReference.describe('The stream key, as a reference.'),
})

/** One entry of `broadcasts`. */
export const broadcastOrder = z
  .strictObject({
    name: orderName,
    hls: hls.optional().describe('Makes a playlist that browsers play.'),
    rtmp: z
      .array(rtmpTarget)
      .max(limits.rtmpTargets.value)
      .superRefine(distinct('id'), always)
      .default([])
      .describe(`Servers that the broadcast is sent to, up to ${limits.rtmpTargets.value}.`),
    ...picture,
    maxDuration: z
      .int()
      .min(limits.broadcastDurationMin.value)
      .max(limits.broadcastDurationMax.value)
      .optional()
      .describe(
        `Seconds after which the platform stops the broadcast. By default the maximum of ${limits.broadcastDurationMax.value}, so that a show can be extended.`,
      ),
    parts: z
      .boolean()
      .default(false)
      .describe(
        `Continues in another broadcast after the platform’s maximum of ${limits.broadcastDurationMax.value} s. It has another playlist, which viewers have to be sent to. Must be true in a show that lasts longer than the platform lets the broadcast run.`,
      ),
  })
  .superRefine(({ hls, rtmp }, context) => {
    if (!hls && !(Array.isArray(rtmp) && rtmp.length > 0))
      context.addIssue({ code: 'custom', message: 'needs hls, rtmp or both' })
  }, always)
  .meta(when(never(has({ hls: {} })), has({ rtmp: { minItems: 1 } })))

export type BroadcastOrder = z.output<typeof broadcastOrder>

/** Returns the seconds after which the platform stops a broadcast. */
export const longestBroadcast = ({ maxDuration }: { readonly maxDuration?: number | undefined }): number =>
  maxDuration ?? limits.broadcastDurationMax.value
