import { z } from 'zod'

/** The withheld file that an operator accepts or rejects. */
export const judgement = z.strictObject({
  etag: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,64}$/, 'is not the ETag of a file')
    .describe('ETag of the file, from `withheld.etag` of the recording. A later file is not affected.'),
})
