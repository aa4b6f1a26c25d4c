import { z } from 'zod'
import { publishingOrder } from '../publishing.ts'

/** Formats to make of a recording again. */
export const rebuildOrder = z.strictObject({
  formats: publishingOrder.shape.formats
    .unwrap()
    .optional()
    .describe('What to make this time, beside the manifest; by default what its show asked for.'),
})
