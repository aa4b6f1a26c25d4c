import { z } from 'zod'
import { when } from '../../platform/contract/schema-rules.ts'
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

const wantedFormats = z
  .array(format)
  .max(formats.length)
  .refine((wanted) => wanted.includes('hls') || !wanted.includes('renditions'), {
    message: 'renditions are part of hls: ask for hls as well',
  })
  .meta(when({ contains: { const: 'renditions' } }, { contains: { const: 'hls' } }))

export const publishingOrder = z.strictObject({
  formats: wantedFormats
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

/** The fields of `publish` that differ for one recording. */
export const recordingPublishing = z.strictObject({
  formats: wantedFormats.optional().describe('Formats of this recording.'),
  access: z.enum(accesses).optional().describe('Access to this recording.'),
  keepDays: z
    .literal([...keepDays, null])
    .optional()
    .describe('Days after which this recording is deleted; null keeps it although the show has keepDays.'),
})

interface Published {
  readonly publish: PublishingOrder
  readonly recordings: readonly {
    readonly name: string
    readonly publish?: z.output<typeof recordingPublishing> | undefined
  }[]
}

/** Returns the order of one recording: its own fields, and those of the show. */
export function publishingOf({ publish, recordings }: Published, name: string): PublishingOrder {
  const own = recordings.find((one) => one.name === name)?.publish
  const days = own?.keepDays === undefined ? publish.keepDays : own.keepDays
  const { formats, access } = publish
  return { formats: own?.formats ?? formats, access: own?.access ?? access, ...(days && { keepDays: days }) }
}

/** Returns the paths in a show document that make recordings public. */
export const publicPaths = ({ publish, recordings }: Published): string[] => [
  ...(publish.access === 'public' ? ['publish.access'] : []),
  ...recordings.flatMap((one, index) =>
    one.publish?.access === 'public' ? [`recordings[${index}].publish.access`] : [],
  ),
]
