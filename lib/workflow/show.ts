import { z } from 'zod'
import { layout, resolution } from '../platform/contract/layouts.ts'
import { limits } from '../platform/contract/limits.ts'

const resourceName = z
  .string()
  .regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/, 'must be 1 to 64 letters, digits, dashes or underscores')
  .describe('Unique within its list; becomes part of the tag on the platform.')

/** As the platform takes it, but what it does not know is refused instead of passed over. */
const strictLayout = layout.strict().default({ type: 'bestFit' })

/** One entry of `recordings`. */
export const recordingOrder = z.strictObject({
  name: resourceName,
  resolution: resolution.default('640x480'),
  layout: strictLayout,
  hasAudio: z.boolean().default(true),
  hasVideo: z.boolean().default(true),
})

/** One entry of `broadcasts`. */
export const broadcastOrder = z.strictObject({
  name: resourceName,
  hls: z.strictObject({ dvr: z.boolean().default(false), lowLatency: z.boolean().default(false) }),
  resolution: resolution.default('640x480'),
  layout: strictLayout,
})

const namedOnce = <Item extends { name: string }>(items: readonly Item[], context: z.RefinementCtx) => {
  items.forEach(({ name }, index) => {
    if (items.findIndex((other) => other.name === name) < index)
      context.addIssue({ code: 'custom', path: [index, 'name'], message: `${name} is used twice` })
  })
}

/** The show document, version 1. Times are seconds; fields are named as the platform names them where it has one. */
export const show = z
  .strictObject({
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
      .default({}),
    recordings: z.array(recordingOrder).min(1).max(50).superRefine(namedOnce),
    broadcasts: z.array(broadcastOrder).max(5).superRefine(namedOnce).default([]),
    audienceWait: z.int().min(1).max(86_400).default(900).describe('Seconds to wait for somebody to connect.'),
    uploadWait: z.int().min(1).max(86_400).default(3_600).describe('Seconds to wait for the files after the end.'),
  })
  .superRefine((value, context) => {
    value.recordings.forEach(({ hasAudio, hasVideo }, index) => {
      if (!hasAudio && !hasVideo)
        context.addIssue({
          code: 'custom',
          path: ['recordings', index],
          message: 'hasAudio and hasVideo must not both be false',
        })
    })
    value.broadcasts.forEach(({ hls }, index) => {
      if (hls.dvr && hls.lowLatency)
        context.addIssue({
          code: 'custom',
          path: ['broadcasts', index, 'hls'],
          message: 'dvr and lowLatency exclude each other',
        })
    })
    if (value.session.id && value.session.location)
      context.addIssue({ code: 'custom', path: ['session', 'location'], message: 'is only for a new session' })
  })

export type RecordingOrder = z.output<typeof recordingOrder>
export type BroadcastOrder = z.output<typeof broadcastOrder>
export type Show = z.output<typeof show>
export type ShowDocument = z.input<typeof show>

/** What is wrong with a document, each problem with its path in it (`recordings[1].name`). */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** A show with its defaults filled in, or everything that is wrong with the document. */
export function parseShow(document: unknown): { show: Show } | { problems: Problem[] } {
  const parsed = show.safeParse(document)
  if (parsed.success) return { show: parsed.data }
  return { problems: parsed.error.issues.flatMap(problemsOf) }
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: 'is not a field of a show' }))
  return [{ path: pathOf(issue.path), message: issue.message }]
}

const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  )
