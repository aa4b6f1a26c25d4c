import { z } from 'zod'

/** Which withheld file an operator accepts or rejects. */
export const judgement = z.strictObject({
  etag: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,64}$/, 'is not the ETag of a file')
    .describe('Of the file, as `withheld.etag` of the recording says: nothing happens to one that came later.'),
})
