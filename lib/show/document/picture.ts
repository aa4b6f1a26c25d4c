import { z } from 'zod'
import { layout, resolution, streamModes } from '../../platform/contract/layouts.ts'

/** The platform's layout, but unknown fields are refused instead of ignored. */
export const orderedLayout = layout.strict()

/** Options of the composed picture of a recording or a broadcast. */
export const picture = {
  resolution: resolution.optional().describe('Width x height in pixels; 640x480 by default.'),
  layout: orderedLayout.optional().describe('How the picture arranges its streams; bestFit by default.'),
  streamMode: z
    .enum(streamModes)
    .default('auto')
    .describe('auto takes every stream of the session, manual those that are selected while the show runs.'),
}
