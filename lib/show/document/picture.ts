import { z } from 'zod'
import { layout, layoutRules, type resolution, resolutions, streamModes } from '../../platform/contract/layouts.ts'

/** The platform's layout, but unknown fields are refused instead of ignored. */
export const orderedLayout = layout.strict().meta(layoutRules)

/** Options of the composed picture of a recording or a broadcast. */
export const picture = {
  resolution: z
    .enum(resolutions, {
      error: ({ input }) =>
        typeof input === 'string' && /^\d+x\d+$/.test(input)
          ? `must be ${resolutions.join(', ').replace(/, (?=\w+$)/, ' or ')}: the platform composes no other size`
          : undefined,
    })
    .optional()
    .describe('Width x height in pixels; 1280x720 by default, and 640x480 in documents of version 1.'),
  layout: orderedLayout.optional().describe('How the picture arranges its streams; bestFit by default.'),
  streamMode: z
    .enum(streamModes)
    .default('auto')
    .describe('auto takes every stream of the session, manual those that are selected while the show runs.'),
}

type Resolution = z.output<typeof resolution>

/** Returns the size of a composed picture for which none is ordered; undefined for the platform's own default, 640x480. */
const defaultResolution = (version: 1 | 1.1): Resolution | undefined => (version === 1 ? undefined : '1280x720')

interface Composed {
  readonly resolution?: Resolution | undefined
  readonly outputMode?: string
  readonly hasVideo?: boolean
}

/** Returns an order with the default size, if it composes a picture. */
export function withResolution<Order extends Composed>(order: Order, version: 1 | 1.1): Order {
  const size = defaultResolution(version)
  const isComposed = order.outputMode !== 'individual' && order.hasVideo !== false
  return size && isComposed && order.resolution === undefined ? { ...order, resolution: size } : order
}
