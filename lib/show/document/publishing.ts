import { z } from 'zod'
import { withFormerWords } from './fields/renamed-words.ts'

/** What can be made of a recording beside its manifest. */
export const formats = [
  'poster',
  'faststart',
  'hls',
  'renditions',
  'thumbnails',
  'audio',
  'chapters',
  'composite',
] as const
export type Format = (typeof formats)[number]

/** A format; its former names are read as well. */
export const format = withFormerWords(formats, { streamable: 'faststart', sound: 'audio' })

/** Who may see a recording. */
export const accesses = ['signed', 'public'] as const

/** Days after which recordings may be asked to be deleted: S3 deletes by rules, and each value is one. */
export const keepDays = [1, 7, 14, 30, 60, 90, 180, 365, 730] as const

export const publishingOrder = z.strictObject({
  formats: z
    .array(format)
    .max(formats.length)
    .refine((wanted) => wanted.includes('hls') || !wanted.includes('renditions'), {
      message: 'renditions are part of hls: ask for hls as well',
    })
    .prefault(formats.filter((one) => one !== 'composite'))
    .describe(
      'What is made of each recording, beside its manifest: a poster; a copy that plays while it is fetched (faststart); HLS as recorded (hls) and in smaller sizes (renditions); thumbnails; the audio alone, its loudness and waveform (audio); chapters; of recordings of single streams one picture and audio of all (composite), of which all else is made then. With [] nothing but the manifest.',
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
