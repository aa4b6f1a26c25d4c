import { z } from 'zod'
import { publishingOrder } from '../publishing.ts'

/** What is made of a recording once more. */
export const rebuildOrder = z.strictObject({
  formats: publishingOrder.shape.formats
    .unwrap()
    .optional()
    .describe('What is made of it this time, beside its manifest; what its show asked for unless told.'),
})
