import { z } from 'zod'

/** What can be made of a recording beside its manifest. */
export const formats = [
  'poster',
  'streamable',
  'hls',
  'renditions',
  'thumbnails',
  'sound',
  'chapters',
  'composite',
] as const
export type Format = (typeof formats)[number]

/** Who may see a recording. */
export const accesses = ['signed', 'public'] as const

/** Days after which recordings may be asked to be deleted: S3 deletes by rules, and each value is one. */
export const keepDays = [1, 7, 14, 30, 60, 90, 180, 365, 730] as const

export const publishingOrder = z.strictObject({
  formats: z
    .array(z.enum(formats))
    .max(formats.length)
    .refine((wanted) => wanted.includes('hls') || !wanted.includes('renditions'), {
      message: 'renditions are part of hls: ask for hls as well',
    })
    .default(formats.filter((format) => format !== 'composite'))
    .describe(
      'What is made of each recording, beside its manifest: a poster; a copy that plays while it is fetched (streamable); HLS as recorded (hls) and in smaller sizes (renditions); thumbnails; the sound alone, its loudness and waveform (sound); chapters; of recordings of single streams one picture and sound of all (composite), of which all else is made then. With [] nothing but the manifest.',
    ),
  access: z
    .enum(accesses)
    .default('signed')
    .describe(
      'signed shows a recording only to callers of the API, by links that end; public to everybody who knows its id.',
    ),
  keepDays: z
    .literal(keepDays)
    .optional()
    .describe(
      'Days after which the recordings and all that was made of them are deleted; by default they are kept. An administrator of the bucket can bring them back for another 30 days.',
    ),
})

export type PublishingOrder = z.output<typeof publishingOrder>
