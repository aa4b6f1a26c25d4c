import { z } from 'zod'
import { exactlyOne, has, never } from '../../../platform/contract/schema-rules.ts'
import { moment } from '../fields/moments.ts'
import { always, orderName } from '../fields/order-names.ts'
import { notBlank, oneLine, visible } from '../fields/texts.ts'

/** Characters of a clip's name, which is its title. */
const MAX_NAME = 100
/** Seconds of a clip. */
export const MAX_CLIP = 3_600
/** The bound of a clip at the latest marker of its recording. */
export const LAST_MARKER = 'last marker'

const bound = z.union([moment, z.literal(LAST_MARKER)])
export type ClipBound = z.output<typeof bound>

/** Descriptions of the bounds of a clip. */
interface Descriptions {
  readonly from: string
  readonly to: string
  readonly last: string
}

const nameOfClip = oneLine(MAX_NAME)
  .min(1)
  .refine(...notBlank)
  .meta(visible)
  .describe(`Title of the clip: one line of up to ${MAX_NAME} characters.`)

const boundsOf = ({ from, to, last }: Descriptions, max: number) => ({
  from: bound.optional().describe(from),
  to: bound.optional().describe(to),
  last: z.int().min(1).max(max).optional().describe(last),
})

interface Bounds {
  readonly from?: ClipBound | undefined
  readonly to?: ClipBound | undefined
  readonly last?: number | undefined
}

function refuseBounds({ from, to, last }: Bounds, context: z.RefinementCtx): void {
  const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
  if ((from === undefined) === (last === undefined)) refuse('needs either from or last')
  if (to !== undefined && last !== undefined) refuse('is not allowed with last', 'to')
}

const eitherBound = { ...exactlyOne('from', 'last'), ...never(has({ to: {}, last: {} })) }

/** A clip of a published recording. */
export const clipOrder = z
  .strictObject({
    name: nameOfClip,
    ...boundsOf(
      {
        from: 'Start: seconds of the recording, a time (RFC 3339), or `last marker`, the latest marker of its show.',
        to: 'End, in the same forms. Default: the end of the recording.',
        last: 'Seconds before the end of the recording, instead of from and to.',
      },
      MAX_CLIP,
    ),
  })
  .superRefine(refuseBounds, always)
  .meta(eitherBound)
export type ClipOrder = z.output<typeof clipOrder>

/** A clip of a live show. */
export const liveClipOrder = z
  .strictObject({
    name: nameOfClip,
    ...boundsOf(
      {
        from: 'Start: seconds since the show went live, a time (RFC 3339), or `last marker`, its latest marker.',
        to: 'End, in the same forms. Default: now. The newest seconds are not kept yet, so a clip ends up to 5 s before.',
        last: 'The last seconds, instead of from and to.',
      },
      MAX_CLIP,
    ),
    broadcast: orderName.optional().describe('Name of the broadcast. Default: the first one with HLS.'),
  })
  .superRefine(refuseBounds, always)
  .meta(eitherBound)
export type LiveClipOrder = z.output<typeof liveClipOrder>
