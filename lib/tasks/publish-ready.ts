import { z } from 'zod'
import { archiveStatuses } from '../platform/contract/archives.ts'
import { orOther } from '../platform/contract/open-values.ts'
import { individualStream, mediaFacts, missingFormat, partOfShow, publishedFile } from '../publish/manifest/manifest.ts'
import { rebuildOrder } from '../show/document/orders/rebuild.ts'
import { publishingOrder } from '../show/document/publishing.ts'
import { arrival, ffmpeg, marker, piece, publishTaskInput } from './arrival.ts'
import { orderedClip } from './publish-clip.ts'
import { renditionOrder } from './rendition.ts'
import type { Task } from './task.ts'

/** The input of a publish execution; `formats` only for a rebuild, and `clip` for one that only cuts a clip. */
export const publishInput = arrival.extend({ ...rebuildOrder.shape, clip: orderedClip.optional() })
export type PublishInput = z.output<typeof publishInput>

const arrived = z.object({
  /** Optional, for calls by hand. */
  'detail-type': z.literal('Object Created').optional(),
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({ key: z.string(), etag: z.string() }),
  }),
})

const interrupted = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({
    name: z.string(),
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    input: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
})

export const readyTasks = {
  startPublish: {
    summary:
      'Start the publish execution of an uploaded archive under its own name, or another one after a failure or an interruption. Behind the last attempt, fail the clips that waited.',
    /** An event of EventBridge: an archive has arrived, or a publish execution is over. */
    input: z.discriminatedUnion('detail-type', [arrived, interrupted]),
    output: z.object({
      outcome: z.enum(['started', 'started again', 'running or done', 'given up', 'left as it is', 'not an archive']),
      executionName: z.string(),
    }),
    timeout: 30,
    capabilities: [
      ...(['publishMachine', 'publishStatuses'] as const),
      ...(['clips', 'clipLists', 'manifests', 'showRequests', 'events'] as const),
      ...(['archives', 'retention', 'deletionRecords'] as const),
    ],
  },
  takeTurn: {
    summary: 'Take a turn for one stage of a publish, or a place in the queue while others have theirs.',
    input: z.object({
      key: z.string(),
      executionName: z.string(),
      stage: z.enum(['ready', 'complete']),
      /** Bytes. @default read from the bucket if the publish has to wait */
      size: z.int().optional(),
      /** Polls of this wait so far. @default 0 */
      polls: z.int().optional(),
    }),
    output: z.object({
      hasTurn: z.boolean(),
      /** Place in the queue, from 1; absent with a turn, and when the queue could not be written because many write it. */
      place: z.int().optional(),
      /** When to ask again without a turn. */
      pollAt: z.iso.datetime(),
      polls: z.int(),
    }),
    timeout: 30,
    capabilities: ['publishTurns', 'publishStatuses', 'archives'],
  },
  inspectRecording: {
    summary:
      'Read the file’s structure by ranges, compare it with the platform’s record, and find the formats that its show wants.',
    input: arrival.extend({
      /** Formats of a rebuild. @default those of the show */
      formats: publishingOrder.shape.formats.unwrap().optional(),
      /** Id of the individual archive, when the object is its composite. */
      composed: z.string().optional(),
    }),
    output: z.object({
      archiveId: z.string(),
      size: z.int(),
      /** Null for an individual archive (archive.zip). */
      facts: mediaFacts.nullable(),
      /** Streams of an individual archive. */
      streams: z.array(individualStream),
      /** The stored composite, of which the other formats are made; absent when it is missing or is made now. */
      composite: arrival.pick({ key: true, etag: true }).optional(),
      /** Null for an archive that no show started. */
      show: partOfShow.nullable(),
      /** Where its show has markers, in order; absent without markers. */
      markers: z.array(marker).optional(),
      /** The formats to make, as far as the file allows them. */
      formats: publishingOrder.shape.formats.unwrap(),
      access: publishingOrder.shape.access.unwrap(),
      /** Pieces that workers process in parallel; empty when the file is not divided. */
      pieces: z.array(piece),
      ladder: z.array(renditionOrder),
      /** Days after which it is deleted; null to keep it permanently. */
      keepDays: z.int().nullable(),
      /** The platform's record; absent when the platform does not know the archive. */
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
      /** Differences between file and record, and formats that could not be made: one sentence each. */
      differences: z.array(z.string()),
    }),
    timeout: 120,
    memory: 512,
    capabilities: ['platform', 'showRequests', 'showStates', 'archives', 'publishedManifests', 'ladder'],
  },
  composePiece: {
    summary: 'Encode one piece of the video that shows all streams of an archive.zip together.',
    input: publishTaskInput.extend({ piece }),
    /** The edition is the same for every piece, and for the audio. */
    output: z.object({ index: z.int(), edition: z.string() }),
    timeout: 900,
    memory: 3008,
    capabilities: ['archives', 'recordings', 'ffmpeg'],
  },
  mixAudio: {
    summary: 'Mix the audio of all streams of an archive.zip in one pass, so that there is no seam.',
    input: publishTaskInput,
    /** False when no stream has audio: then no audio is assembled. */
    output: z.object({ hasAudio: z.boolean(), edition: z.string() }),
    timeout: 900,
    memory: 3008,
    capabilities: ['archives', 'recordings', 'ffmpeg'],
  },
  assembleComposite: {
    summary: 'Join the pieces of a composite and its audio to one MP4, by copy, with its index first.',
    input: publishTaskInput.extend({
      /** The edition that Compose piece and Mix audio returned. */
      edition: z.string(),
      pieces: z.int().min(1).max(1000),
      hasAudio: z.boolean(),
    }),
    output: z.object({
      files: z.array(publishedFile),
      /** The composite as an object that the publish continues with. */
      composite: arrival,
    }),
    timeout: 900,
    memory: 1024,
    capabilities: ['archives', 'recordings', 'madeFiles'],
  },
  makeFaststart: {
    summary: 'Let S3 assemble a copy of the file with its index first. A file that has its index first is not copied.',
    input: publishTaskInput,
    /** One file, whose SHA-256 Hash source finds later; none when the index of the source does not allow a copy. */
    output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
    timeout: 900,
    memory: 512,
    capabilities: ['archives', 'recordings'],
  },
  makePoster: {
    summary: 'Choose the best of several keyframes and publish it as a JPEG.',
    input: publishTaskInput,
    /** No files for a recording without video, and for one whose video cannot be decoded. */
    output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
    timeout: 300,
    memory: 1024,
    capabilities: ['archives', 'recordings', 'ffmpeg'],
  },
  cutPiece: {
    summary: 'Cut one piece into HLS segments by copy, and record the position of each.',
    input: publishTaskInput.extend({ piece }),
    output: z.object({ index: z.int(), edition: z.string(), missing: missingFormat.optional() }),
    timeout: 900,
    memory: 1024,
    capabilities: ['archives', 'recordings'],
  },
  writePlaylists: {
    summary: 'Write the HLS playlists of the pieces that were cut and encoded.',
    input: publishTaskInput.extend({
      facts: mediaFacts,
      pieces: z.int().min(1).max(1000),
      /** Editions of the HLS pieces and of the renditions; null while there are no renditions. */
      editions: z.object({ hls: z.string(), renditions: z.string().nullable() }),
    }),
    /** Every file that a player loads; the master playlist is last. */
    output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
    timeout: 120,
    memory: 512,
    capabilities: ['recordings', 'madeFiles'],
  },
} as const satisfies Record<string, Task>
