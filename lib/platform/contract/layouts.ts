import { z } from 'zod'
import { has, never, when } from './schema-rules.ts'

export const resolutions = ['640x480', '1280x720', '1920x1080', '480x640', '720x1280', '1080x1920'] as const
const layoutTypes = ['bestFit', 'custom', 'horizontalPresentation', 'pip', 'verticalPresentation'] as const
export const streamModes = ['auto', 'manual'] as const

export const resolution = z.enum(resolutions)

/** Returns the schema of the stream mode of an archive or a broadcast. `operation` adds streams in mode manual. */
export const streamMode = (operation: string) =>
  z.enum(streamModes).default('auto').describe(`auto includes all streams; manual those that ${operation} adds.`)

const layoutFields = {
  stylesheet: z.string().optional().describe('CSS that arranges the streams; only with type custom.'),
  screenshareType: z
    .enum(layoutTypes)
    .exclude(['custom'])
    .optional()
    .describe('The type while a screen is shared; only with type bestFit.'),
}

const without = (type: string) => ({ enum: layoutTypes.filter((other) => other !== type) })
const styled = { stylesheet: { minLength: 1 } }

/** The rules of `refuseContradictions` in JSON Schema. */
export const layoutRules = {
  ...when(has({ type: { const: 'custom' } }), has(styled)),
  ...never(
    has({ type: without('custom'), ...styled }),
    { ...has(styled), ...never(has({ type: {} })) },
    has({ type: without('bestFit'), screenshareType: {} }),
  ),
}

/** The initial layout of an archive or a broadcast. */
export const layout = z
  .object({ type: z.enum(layoutTypes).default('bestFit').describe('The kind of arrangement.'), ...layoutFields })
  .superRefine(refuseContradictions)
  .meta({ id: 'Layout', description: 'The arrangement of streams in a composed picture.', ...layoutRules })

/** The new layout of an archive or a broadcast. Its type is required. */
export const nextLayout = z
  .object({ type: z.enum(layoutTypes).describe('The kind of arrangement.'), ...layoutFields })
  .superRefine(refuseContradictions)
  .meta({ id: 'NextLayout', description: 'The new arrangement of streams in a composed picture.', ...layoutRules })

interface GivenLayout {
  readonly type: (typeof layoutTypes)[number]
  readonly stylesheet?: string | undefined
  readonly screenshareType?: string | undefined
}

function refuseContradictions({ type, stylesheet, screenshareType }: GivenLayout, context: z.RefinementCtx) {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (type === 'custom' && !stylesheet) refuse('stylesheet', 'is required with type custom')
  if (type !== 'custom' && stylesheet) refuse('stylesheet', 'is only allowed with type custom')
  if (type !== 'bestFit' && screenshareType)
    refuse('screenshareType', 'is only allowed with type bestFit and no stylesheet')
}

/** An object with neither audio nor video. */
export const neitherTrack = has({ hasAudio: { const: false }, hasVideo: { const: false } })

/** A stream chosen for an archive or a broadcast in stream mode `manual`. */
export const chosenStream = z.looseObject({ streamId: z.string(), hasAudio: z.boolean(), hasVideo: z.boolean() })

/** Body of changeArchiveStreams and changeBroadcastStreams. Adding a stream again changes its tracks. */
export const streamChange = z.union([
  z
    .object({
      addStream: z.string().min(1).describe('Id of the stream to add or to change.'),
      hasAudio: z.boolean().default(true),
      hasVideo: z.boolean().default(true),
      removeStream: z.never().optional(),
    })
    .refine(({ hasAudio, hasVideo }) => hasAudio || hasVideo, {
      path: ['hasAudio'],
      message: 'and hasVideo must not both be false',
    })
    .meta(never(neitherTrack)),
  z.object({
    removeStream: z.string().min(1).describe('Id of the stream to remove.'),
    addStream: z.never().optional(),
  }),
])
