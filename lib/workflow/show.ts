import { z } from 'zod'
import { layout, resolution } from '../platform/contract/layouts.ts'
import { limits } from '../platform/contract/limits.ts'
import { messageOf, type Problem, problemsOf } from './problems.ts'

const resourceName = z
  .string()
  .regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/, 'must be 1 to 64 letters, digits, dashes or underscores')
  .describe('Unique within its list; becomes part of the tag on the platform.')

/** As the platform takes it, but what it does not know is refused instead of passed over. */
const strictLayout = layout.strict().default({ type: 'bestFit' })

/** Rules about several fields are looked at although one of them is wrong, so that every problem is told at once. */
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/** One entry of `recordings`. */
export const recordingOrder = z
  .strictObject({
    name: resourceName,
    resolution: resolution.default('640x480'),
    layout: strictLayout,
    hasAudio: z.boolean().default(true),
    hasVideo: z.boolean().default(true),
  })
  .superRefine(({ hasAudio, hasVideo }, context) => {
    if (hasAudio === false && hasVideo === false)
      context.addIssue({ code: 'custom', message: 'hasAudio and hasVideo must not both be false' })
  }, always)

/** One entry of `broadcasts`. */
export const broadcastOrder = z.strictObject({
  name: resourceName,
  hls: z
    .strictObject({ dvr: z.boolean().default(false), lowLatency: z.boolean().default(false) })
    .superRefine(({ dvr, lowLatency }, context) => {
      if (dvr && lowLatency) context.addIssue({ code: 'custom', message: 'dvr and lowLatency exclude each other' })
    }, always),
  resolution: resolution.default('640x480'),
  layout: strictLayout,
})

const namedOnce = (items: readonly { name?: unknown }[], context: z.RefinementCtx) => {
  const names = Array.isArray(items) ? items.map((item) => item?.name) : []
  names.forEach((name, index) => {
    if (name !== undefined && names.indexOf(name) < index)
      context.addIssue({ code: 'custom', path: [index, 'name'], message: `${name} is used twice` })
  })
}

/** The show document, version 1. Times are seconds; fields are named as the platform names them where it has one. */
export const show = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1).max(limits.archiveName.value).describe('Shown to people.'),
  duration: z
    .int()
    .min(1)
    .max(
      limits.archiveDuration.value,
      `must be at most ${limits.archiveDuration.value}: longer recordings are not built yet`,
    )
    .describe('Seconds of live time, counted from the first archive or broadcast.'),
  session: z
    .strictObject({
      id: z.string().min(1).optional().describe('An existing routed session to use.'),
      location: z.string().min(1).optional().describe('An IP address near the participants, for a new session.'),
    })
    .superRefine(({ id, location }, context) => {
      if (id && location) context.addIssue({ code: 'custom', path: ['location'], message: 'is only for a new session' })
    }, always)
    .default({}),
  recordings: z.array(recordingOrder).min(1).max(50).superRefine(namedOnce, always),
  broadcasts: z.array(broadcastOrder).max(5).superRefine(namedOnce, always).default([]),
  audienceWait: z.int().min(1).max(86_400).default(900).describe('Seconds to wait for somebody to connect.'),
  uploadWait: z.int().min(1).max(86_400).default(3_600).describe('Seconds to wait for the files after the end.'),
})

export type RecordingOrder = z.output<typeof recordingOrder>
export type BroadcastOrder = z.output<typeof broadcastOrder>
export type Show = z.output<typeof show>
export type ShowDocument = z.input<typeof show>

/** A show with its defaults filled in, or everything that is wrong with the document. */
export function parseShow(document: unknown): { show: Show } | { problems: Problem[] } {
  const parsed = show.safeParse(document, { error: messageOf })
  if (parsed.success) return { show: parsed.data }
  return { problems: parsed.error.issues.flatMap(problemsOf) }
}
