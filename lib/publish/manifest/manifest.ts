import { z } from 'zod'
import { withFormerWords } from '../../show/document/fields/renamed-words.ts'
import { accesses, format } from '../../show/document/publishing.ts'

/** What published files are for: `hls` is the master playlist, `hls-media` everything else that it leads to. */
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

/**
 * One published file of a recording; `sha256` is lowercase hex, null while pending. The faststart one is the source itself,
 * by its key, where that can be played while it is being fetched.
 */
export const publishedFile = z.object({
  role: withFormerWords(fileRoles, { streamable: 'faststart' }),
  key: z.string(),
  size: z.int(),
  sha256: z.string().nullable(),
})

/** A format that was asked for and could not be made, or not all of it, since the recording is damaged. */
export const missingFormat = z.object({
  format,
  /** What there is not, and why: one sentence. */
  problem: z.string(),
})
export type MissingFormat = z.output<typeof missingFormat>

/** What a file turned out to hold; the same facts as in the manifest. */
export const mediaFacts = z.object({
  /** Fractional seconds. */
  duration: z.number(),
  video: z.object({ codec: z.string(), width: z.int(), height: z.int(), frameRate: z.number() }).nullable(),
  audio: z.object({ codec: z.string(), sampleRate: z.int(), channels: z.int() }).nullable(),
})

/** One stream of an archive of single streams; seconds of the recording. */
export const individualStream = z.object({
  streamId: z.string(),
  /** In the zip. */
  file: z.string(),
  size: z.int(),
  start: z.number(),
  stop: z.number(),
  videoType: z.string(),
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
})

/** After EBU R128, in LUFS, LU and dBTP. */
export const loudness = z.object({ integrated: z.number(), range: z.number(), truePeak: z.number() })

/** Which part of which recording of which show. */
export const partOfShow = z.object({ showId: z.string(), name: z.string(), part: z.int() })
export type PartOfShow = z.output<typeof partOfShow>

/** A file that came in the place of the published one and is not what the platform recorded: it waits for an operator. */
const withheldFile = z.object({
  etag: z.string(),
  size: z.int(),
  /** Null where it was not hashed. */
  sha256: z.string().nullable(),
  since: z.iso.datetime(),
  /** A sentence each. */
  differences: z.array(z.string()),
  /** When an operator has accepted it: from then on it may be published. */
  acceptedAt: z.iso.datetime().optional(),
})
export type WithheldFile = z.output<typeof withheldFile>

/** An outcome of publishing that its owner was notified of. */
const publication = z.object({
  /** Of the publish machine. */
  executionName: z.string(),
  status: z.enum(['ready', 'complete', 'failed']),
  at: z.iso.datetime(),
  message: z.string().optional(),
})

/** `recordings/<archive id>/manifest.json`: what was published of an archive. */
export const manifest = z.object({
  version: z.literal(1),
  archiveId: z.string(),
  /** When the archive was created; where the platform did not say so, when it was first published. */
  createdAt: z.iso.datetime(),
  /** The recording of a show that it is a part of; absent for an archive that no show started. */
  show: partOfShow.optional(),
  /**
   * The archives that it joins, in order, of one that stands for all parts of a recording that rolled over; it plays the
   * files of the first and copies of the others'. Everything else that it says of an archive is that of the first.
   */
  parts: z.array(z.string()).optional(),
  status: z.enum(['ready', 'complete', 'failed']),
  /** Who may see it. */
  access: z.enum(accesses).default('signed'),
  /** How often its links were revoked; a recording whose links were is never public again. Absent for never. */
  epoch: z.int().min(1).optional(),
  /** Days after which it is deleted; absent when it is kept for ever. */
  keepDays: z.int().optional(),
  /** What a person should know: why it failed, where the file differs from the platform's record, and what is missing. */
  message: z.string().optional(),
  /** The latest outcomes of publishing it, in order. */
  publications: z.array(publication).optional(),
  /** What could not be made of it; absent where that is nothing. */
  missing: z.array(missingFormat).optional(),
  /** The archive; `etag` and `versionId` are of the version that was published, which is the one that links lead to. */
  source: z.object({
    key: z.string(),
    etag: z.string().optional(),
    versionId: z.string().optional(),
    size: z.int(),
    sha256: z.string().nullable(),
  }),
  /** What was uploaded in its place, and is neither published nor linked. */
  withheld: withheldFile.optional(),
  ...mediaFacts.shape,
  /** Seconds; null where the file was not looked into, as are the two others. */
  duration: mediaFacts.shape.duration.nullable(),
  /** Of an archive of single streams, where each is in the zip; absent of any other. */
  streams: z.array(individualStream).optional(),
  /** Absent where it was not measured, or nothing is loud enough to be. */
  loudness: loudness.optional(),
  /** Versions of what it was made with, by name. */
  tools: z.record(z.string(), z.string()).optional(),
  files: z.array(publishedFile),
})
export type Manifest = z.output<typeof manifest>
