import { z } from 'zod'

const fileRoles = ['poster'] as const

/** One published file of a recording; `sha256` is lowercase hex, null while pending. */
export const publishedFile = z.object({
  role: z.enum(fileRoles),
  key: z.string(),
  size: z.int(),
  sha256: z.string().nullable(),
})

/** What a file turned out to hold; the same facts as in the manifest. */
export const mediaFacts = z.object({
  /** Fractional seconds. */
  duration: z.number(),
  video: z.object({ codec: z.string(), width: z.int(), height: z.int(), frameRate: z.number() }).nullable(),
  audio: z.object({ codec: z.string(), sampleRate: z.int(), channels: z.int() }).nullable(),
})

/** `recordings/<archive id>/manifest.json`: what was published of an archive. */
export const manifest = z.object({
  version: z.literal(1),
  archiveId: z.string(),
  /** When the archive was created; where the platform did not say so, when it was first published. */
  createdAt: z.iso.datetime(),
  status: z.enum(['ready', 'complete', 'failed']),
  /** What a person should know: why it failed, or where the file differs from the platform's record. */
  message: z.string().optional(),
  source: z.object({ key: z.string(), size: z.int(), sha256: z.string().nullable() }),
  ...mediaFacts.shape,
  files: z.array(publishedFile),
})
export type Manifest = z.output<typeof manifest>
