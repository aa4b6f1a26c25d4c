import { z } from 'zod'
import { layout, resolution, streamModes } from '../../platform/contract/layouts.ts'

/** As the platform takes it, but what it does not know is refused instead of passed over. */
export const orderedLayout = layout.strict()

/** What a composed picture of a recording or a broadcast may be asked to look like. */
export const picture = {
  resolution: resolution.optional().describe('Width x height in pixels; 640x480 unless told.'),
  layout: orderedLayout.optional().describe('How the picture arranges its streams; bestFit unless told.'),
  streamMode: z
    .enum(streamModes)
    .default('auto')
    .describe('auto takes every stream of the session, manual those that are chosen while the show runs.'),
}
