import { z } from 'zod'

/** What is made of a recording beside its manifest. */
export const formats = ['poster'] as const

/** Who may see a recording. */
export const accesses = ['signed', 'public'] as const

/** Days after which recordings may be asked to be deleted: S3 deletes by rules, and each value is one. */
export const keepDays = [1, 7, 14, 30, 60, 90, 180, 365, 730] as const

export const publishingOrder = z.strictObject({
  formats: z
    .array(z.enum(formats))
    .max(formats.length)
    .default([...formats])
    .describe('What is made of each recording, beside its manifest; with [] nothing but that.'),
  access: z
    .enum(accesses)
    .default('signed')
    .describe(
      'signed shows a recording only to callers of the API, by links that end; public to everybody who knows its id.',
    ),
  keepDays: z
    .literal(keepDays)
    .optional()
    .describe('Days after which the recordings and all that was made of them are deleted; kept for ever unless told.'),
})

export type PublishingOrder = z.output<typeof publishingOrder>
