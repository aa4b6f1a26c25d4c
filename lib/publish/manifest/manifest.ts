import { z } from 'zod'
import { withFormerWords } from '../../show/document/fields/renamed-words.ts'
import { accesses, type Format, format } from '../../show/document/publishing.ts'

/** Roles of published files: `hls` is the master playlist, `hls-media` every other file of HLS. */
const fileRoles = [
  'poster',
  'faststart',
  'sprite',
  'thumbnails',
  'hls',
  'hls-media',
  'audio',
  'waveform',
  'chapters',
  'captions',
  'composite',
] as const
export type FileRole = (typeof fileRoles)[number]

/** A published file; `sha256` is null while pending. The faststart copy is the source itself where that has its index first. */
export const publishedFile = z.object({
  role: withFormerWords(fileRoles, { streamable: 'faststart' }),
  key: z.string(),
  size: z.int(),
  sha256: z.string().nullable(),
})

/** A requested format that could not be made, or not completely, because the recording is damaged. */
export const missingFormat = z.object({
  format,
  /** One sentence: what is missing, and why. */
  problem: z.string(),
})
export type MissingFormat = z.output<typeof missingFormat>

/** Facts found in a file. */
export const mediaFacts = z.object({
  /** Fractional seconds. */
  duration: z.number(),
  video: z.object({ codec: z.string(), width: z.int(), height: z.int(), frameRate: z.number() }).nullable(),
  audio: z.object({ codec: z.string(), sampleRate: z.int(), channels: z.int() }).nullable(),
})

/** One stream of an individual archive; times in seconds of the recording. */
export const individualStream = z.object({
  streamId: z.string(),
  /** File name in the zip. */
  file: z.string(),
  size: z.int(),
  start: z.number(),
  stop: z.number(),
  videoType: z.string(),
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
})

/** Loudness (EBU R128) in LUFS, LU and dBTP. */
export const loudness = z.object({ integrated: z.number(), range: z.number(), truePeak: z.number() })

/** What the watch page shows of the show's `page`; absent for an archive that no show started. */
const page = z.object({
  /** The show's name if it orders no title. */
  title: z.string(),
  description: z.string().optional(),
  /** URL of a picture. */
  cover: z.string().optional(),
  /** `#rrggbb` */
  accentColor: z.string().optional(),
})

export const partOfShow = z.object({ showId: z.string(), name: z.string(), part: z.int() })
export type PartOfShow = z.output<typeof partOfShow>

/** A file that would replace the published one and differs from the platform's record: an operator decides. */
const withheldFile = z.object({
  etag: z.string(),
  size: z.int(),
  /** Null when it was not hashed. */
  sha256: z.string().nullable(),
  since: z.iso.datetime(),
  /** One sentence for each difference. */
  differences: z.array(z.string()),
  /** When an operator accepted it: then it may be published. */
  acceptedAt: z.iso.datetime().optional(),
})
export type WithheldFile = z.output<typeof withheldFile>

/** An outcome of a publish, of which the owner was notified. */
const publication = z.object({
  /** Execution of the publish machine. */
  executionName: z.string(),
  status: z.enum(['ready', 'complete', 'failed']),
  at: z.iso.datetime(),
  message: z.string().optional(),
})

/** `recordings/<archive id>/manifest.json`: the published files of an archive. */
export const manifest = z.object({
  version: z.literal(1),
  archiveId: z.string(),
  /** When the archive was created or, if the platform does not report that, first published. */
  createdAt: z.iso.datetime(),
  /** The show's recording; absent for an archive that no show started. */
  show: partOfShow.optional(),
  page: page.optional(),
  /** Archives of a joined recording, in order. It plays files of the first and copies of the others. */
  parts: z.array(z.string()).optional(),
  /** Pauses of a joined recording, in order; absent when there are none. Nothing was recorded in them. */
  pauses: z
    .array(
      z.object({
        /** Seconds of the recording at which it resumes. */
        at: z.number(),
        /** Seconds that were not recorded. */
        duration: z.number(),
      }),
    )
    .optional(),
  status: z.enum(['ready', 'complete', 'failed']),
  /** Who may watch it. */
  access: z.enum(accesses).default('signed'),
  /** Number of revocations of its links, after which it is never public again. Absent for 0. */
  epoch: z.int().min(1).optional(),
  /** Days after which it is deleted; absent when it is kept permanently. */
  keepDays: z.int().optional(),
  /** Message for people: why it failed, how the file differs from the platform's record, and what is missing. */
  message: z.string().optional(),
  /** The latest outcomes of its publishes, in order. */
  publications: z.array(publication).optional(),
  /** Formats that could not be made; absent when there are none. */
  missing: z.array(missingFormat).optional(),
  /** The archive; `etag` and `versionId` identify the published version, which links lead to. */
  source: z.object({
    key: z.string(),
    etag: z.string().optional(),
    versionId: z.string().optional(),
    size: z.int(),
    sha256: z.string().nullable(),
  }),
  /** A file that was uploaded over the source, and is neither published nor linked. */
  withheld: withheldFile.optional(),
  ...mediaFacts.shape,
  /** Seconds; null when the file was not inspected, as are video and audio. */
  duration: mediaFacts.shape.duration.nullable(),
  /** Streams of an individual archive, with their files in the zip; absent for a composed one. */
  streams: z.array(individualStream).optional(),
  /** Absent when it was not measured, or the audio is too quiet to be. */
  loudness: loudness.optional(),
  /** Versions of the tools that made it, by name. */
  tools: z.record(z.string(), z.string()).optional(),
  files: z.array(publishedFile),
})
export type Manifest = z.output<typeof manifest>

/** Roles of the files of each format. Renditions share playlists with the recording itself. */
export const rolesOf = {
  poster: ['poster'],
  faststart: ['faststart'],
  hls: ['hls', 'hls-media'],
  renditions: ['hls', 'hls-media'],
  thumbnails: ['sprite', 'thumbnails'],
  audio: ['audio', 'waveform'],
  chapters: ['chapters'],
  composite: ['composite'],
} as const satisfies Record<Format, readonly FileRole[]>

/** Tag that selects the bucket's expiry rule for an object; its value is a number of days. */
export const KEEP_DAYS_TAG = 'keepDays'

/** Returns the tags of an object that is kept for some days; none for one that is kept permanently. */
export const tagsFor = (keepDays: number | null | undefined): Record<string, string> =>
  keepDays ? { [KEEP_DAYS_TAG]: String(keepDays) } : {}

/** Bytes of captions in one language: twelve hours of speech are about a million. */
export const MAX_CAPTIONS_BYTES = 4 * 2 ** 20

/** Languages of a recording's captions. */
export const MAX_CAPTIONS = 50
