import { z } from 'zod'
import { withFormerWords } from './fields/renamed-words.ts'

/** Formats that can be made of a recording beside its manifest. */
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

/** Access to a recording: by signed links, or public. */
export const accesses = ['signed', 'public'] as const

/** Days after which recordings can be deleted. Each value is a lifecycle rule of the bucket. */
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
      'Formats of each recording, beside its manifest: a poster; a copy that plays while it is downloaded (faststart); HLS as recorded (hls) and in smaller sizes (renditions); thumbnails; the audio with loudness and waveform (audio); chapters; for individual recordings one picture and audio of all streams (composite), from which all other formats are made. With [] only the manifest.',
    ),
  access: z
    .enum(accesses)
    .default('signed')
    .describe('signed admits viewers by links that expire; public admits anyone who knows the id.'),
  keepDays: z
    .literal(keepDays)
    .optional()
    .describe(
      'Days after which the recordings and all that was made of them are deleted; by default they are kept. An administrator of the bucket can bring them back for another 30 days.',
    ),
})

export type PublishingOrder = z.output<typeof publishingOrder>
