import { z } from 'zod'
import { moment } from '../fields/moments.ts'
import { always } from '../fields/order-names.ts'
import { notBlank, oneLine, visible } from '../fields/texts.ts'

/** Characters of a clip's name, which is its title. */
const MAX_NAME = 100
/** Seconds of a clip. */
export const MAX_CLIP = 3_600
/** The bound of a clip at the latest marker of its recording. */
export const LAST_MARKER = 'last marker'

const bound = z.union([moment, z.literal(LAST_MARKER)])
export type ClipBound = z.output<typeof bound>

/** A clip of a published recording. */
export const clipOrder = z
  .strictObject({
    name: oneLine(MAX_NAME)
      .min(1)
      .refine(...notBlank)
      .meta(visible)
      .describe(`Title of the clip: one line of up to ${MAX_NAME} characters.`),
    from: bound
      .optional()
      .describe('Start: seconds of the recording, a time (RFC 3339), or `last marker`, the latest marker of its show.'),
    to: bound.optional().describe('End, in the same forms. Default: the end of the recording.'),
    last: z
      .int()
      .min(1)
      .max(MAX_CLIP)
      .optional()
      .describe('Seconds before the end of the recording, instead of from and to.'),
  })
  .superRefine(({ from, to, last }, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
    if ((from === undefined) === (last === undefined)) refuse('needs either from or last')
    if (to !== undefined && last !== undefined) refuse('is not allowed with last', 'to')
  }, always)
  .meta({ oneOf: [{ required: ['from'] }, { required: ['last'], not: { required: ['to'] } }] })
export type ClipOrder = z.output<typeof clipOrder>
