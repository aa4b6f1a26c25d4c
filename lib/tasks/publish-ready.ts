import { z } from 'zod'
import { archiveStatuses } from '../platform/contract/archives.ts'
import { orOther } from '../platform/contract/open-values.ts'
import { individualStream, mediaFacts, missingFormat, partOfShow, publishedFile } from '../publish/manifest/manifest.ts'
import { rebuildOrder } from '../show/document/orders/rebuild.ts'
import { publishingOrder } from '../show/document/publishing.ts'
import { arrival, piece } from './arrival.ts'
import { ffmpeg } from './ffmpeg-field.ts'
import { rung } from './rendition.ts'
import type { Task } from './task.ts'

/** What a publish execution is started with; `formats` where somebody asked for some. */
export const publishInput = arrival.extend(rebuildOrder.shape)

/** What S3 sends to EventBridge. */
const arrived = z.object({
  /** Whoever calls it by hand may leave that out. */
  'detail-type': z.literal('Object Created').optional(),
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({ key: z.string(), etag: z.string() }),
  }),
})

/** What Step Functions sends. */
const brokenOff = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({
    name: z.string(),
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    /** JSON. */
    input: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
})

export const startPublish = {
  summary:
    'Start the publish execution of an uploaded archive under its own name, or another one after a failure or an interruption.',
  /** An event of EventBridge: an archive has arrived, or a publish execution is over. */
  input: z.discriminatedUnion('detail-type', [arrived, brokenOff]),
  output: z.object({
    outcome: z.enum(['started', 'started again', 'running or done', 'given up', 'left as it is', 'not an archive']),
    executionName: z.string(),
  }),
  timeout: 30,
  capabilities: ['publishMachine'],
} as const satisfies Task

export const inspectRecording = {
  summary:
    'Read the file’s structure by ranges, compare it with the platform’s record, and find the formats that its show wants.',
  input: arrival.extend({
    /** Of one that is published once more; what its show asked for otherwise. */
    formats: publishingOrder.shape.formats.unwrap().optional(),
    /** The archive, where the object was composed of its streams. */
    composed: z.string().optional(),
  }),
  output: z.object({
    archiveId: z.string(),
    size: z.int(),
    /** Null for an archive of single streams (archive.zip). */
    facts: mediaFacts.nullable(),
    /** Of such an archive. */
    streams: z.array(individualStream),
    /** What was composed of them before, of which all is made; absent where nothing was, or where that is to be made. */
    composite: arrival.pick({ key: true, etag: true }).optional(),
    /** Null for an archive that no show started. */
    show: partOfShow.nullable(),
    /** What has to be made of it, as far as that can be. */
    formats: publishingOrder.shape.formats.unwrap(),
    access: publishingOrder.shape.access.unwrap(),
    /** What workers take side by side; none where it is not divided. */
    pieces: z.array(piece),
    /** Sizes that the recording may be made smaller to. */
    ladder: z.array(rung),
    /** Days after which it is deleted; null to keep it for ever. */
    keepDays: z.int().nullable(),
    /** What the platform says of it; absent when it does not know the archive. */
    record: z
      .object({
        status: orOther(archiveStatuses),
        size: z.int(),
        duration: z.int(),
        createdAt: z.iso.datetime(),
        /** Base64, where the platform sends it. */
        sha256sum: z.string().nullish(),
      })
      .optional(),
    /** What a person should know: where file and record differ, and what could not be made. */
    differences: z.array(z.string()),
  }),
  timeout: 120,
  memory: 512,
  capabilities: ['platform', 'showRequests', 'archives', 'publishedManifests', 'ladder'],
} as const satisfies Task

export const composePiece = {
  summary: 'Encode one piece of the video that shows all streams of an archive.zip together.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable(), piece }),
  /** The edition is the same for every piece, and for the audio. */
  output: z.object({ index: z.int(), edition: z.string() }),
  timeout: 900,
  memory: 3008,
  capabilities: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const mixAudio = {
  summary: 'Mix the audio of all streams of an archive.zip in one pass, so that there is no seam.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** False where nobody is heard: then there is no audio to be assembled. */
  output: z.object({ hasAudio: z.boolean(), edition: z.string() }),
  timeout: 900,
  memory: 3008,
  capabilities: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const assembleComposite = {
  summary: 'Join the pieces of a composite and its audio to one MP4, by copy, with its index first.',
  input: arrival.extend({
    archiveId: z.string(),
    keepDays: z.int().nullable(),
    /** What Compose piece and Mix audio have given. */
    edition: z.string(),
    pieces: z.int().min(1).max(1000),
    hasAudio: z.boolean(),
  }),
  output: z.object({
    files: z.array(publishedFile),
    /** The composite as an object that can be published on, as one that arrived. */
    composite: arrival,
  }),
  timeout: 900,
  memory: 1024,
  capabilities: ['archives', 'recordings', 'madeFiles'],
} as const satisfies Task

export const makeFaststart = {
  summary: 'Let S3 assemble a copy of the file with its index first. A file that has its index first is not copied.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** One, whose SHA-256 is pending, since Hash source finds it; none of a file whose index does not allow it. */
  output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
  timeout: 900,
  memory: 512,
  capabilities: ['archives', 'recordings'],
} as const satisfies Task

export const makePoster = {
  summary: 'Choose the best of several keyframes and publish it as a JPEG.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** No files for a recording without video, and for one whose video cannot be decoded. */
  output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
  timeout: 300,
  memory: 1024,
  capabilities: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const cutPiece = {
  summary: 'Cut one piece into HLS segments by copy, and record the position of each.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable(), piece }),
  output: z.object({ index: z.int(), edition: z.string(), missing: missingFormat.optional() }),
  timeout: 900,
  memory: 1024,
  capabilities: ['archives', 'recordings'],
} as const satisfies Task

export const writePlaylists = {
  summary: 'Write the HLS playlists of the pieces that were cut and encoded.',
  input: arrival.extend({
    archiveId: z.string(),
    keepDays: z.int().nullable(),
    facts: mediaFacts,
    /** How many there are. */
    pieces: z.int().min(1).max(1000),
    /** Of what was cut, and of what was encoded: null as long as that is not there. */
    editions: z.object({ hls: z.string(), renditions: z.string().nullable() }),
  }),
  /** Everything a player loads, the master playlist last. */
  output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
  timeout: 120,
  memory: 512,
  capabilities: ['recordings', 'madeFiles'],
} as const satisfies Task
