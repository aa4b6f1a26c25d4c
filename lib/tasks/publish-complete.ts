import { z } from 'zod'
import { loudness, manifest, missingFormat, publishedFile } from '../publish/manifest/manifest.ts'
import { arrival, ffmpeg, marker, publishTaskInput } from './arrival.ts'
import { readyTasks } from './publish-ready.ts'
import { renditionOrder } from './rendition.ts'
import { stateError } from './state-errors.ts'
import type { Task } from './task.ts'

/** A time range of a recording, in seconds. */
export const stretch = z.object({ start: z.number(), end: z.number() })

const hashes = z.object({
  sha256: z.string(),
  /** The hash of the source where that is its own faststart copy; null without one. */
  faststartSha256: z.string().nullable(),
})

export const completeTasks = {
  makeThumbnails: {
    summary: 'Publish thumbnails as sprite sheets, and WebVTT with their times.',
    input: publishTaskInput,
    /** No files for a recording without video, and for one whose video cannot be decoded. */
    output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
    timeout: 600,
    memory: 1024,
    capabilities: ['archives', 'recordings', 'ffmpeg'],
  },
  copyAudio: {
    summary: 'Publish the audio alone, as it was recorded.',
    input: publishTaskInput,
    /** No files for a recording without audio, and for one whose audio cannot be copied. */
    output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
    timeout: 900,
    memory: 1024,
    capabilities: ['archives', 'recordings'],
  },
  measureAudio: {
    summary: 'Publish the waveform, and find loudness and silences, in one pass over the copied audio.',
    input: z.object({
      archiveId: z.string(),
      /** ETag of the source. */
      etag: z.string(),
      keepDays: z.int().nullable(),
      audio: z.string(),
    }),
    output: z.object({
      files: z.array(publishedFile),
      /** Null where nothing is loud enough to be measured. */
      loudness: loudness.nullable(),
      /** In order; at most 500. */
      silences: z.array(stretch),
      ffmpeg,
      missing: missingFormat.optional(),
    }),
    timeout: 900,
    memory: 2048,
    capabilities: ['madeFiles', 'recordings', 'ffmpeg'],
  },
  findChapters: {
    summary:
      'Divide the recording into chapters at its markers, or where it is black or silent, and publish them as WebVTT.',
    input: publishTaskInput.extend({
      /** Seconds of the whole recording. */
      duration: z.number(),
      silences: z.array(stretch),
      /** In order. */
      markers: z.array(marker),
    }),
    /** No files for a recording without chapters. */
    output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
    timeout: 600,
    memory: 1024,
    capabilities: ['archives', 'recordings', 'ffmpeg'],
  },
  encodePiece: {
    summary: 'Encode one piece in every smaller size of the ladder, from one decoding.',
    input: readyTasks.cutPiece.input.extend({
      /** Pixels as shown, as inspected. */
      picture: z.object({ width: z.int(), height: z.int() }),
      ladder: z.array(renditionOrder).max(8),
    }),
    output: readyTasks.cutPiece.output.extend({ ffmpeg }),
    timeout: 900,
    memory: 3008,
    capabilities: ['archives', 'recordings', 'ffmpeg'],
  },
  hashSource: {
    summary: 'Read the source once for its SHA-256 and that of its faststart copy.',
    input: arrival,
    output: hashes,
    timeout: 900,
    memory: 512,
    capabilities: ['archives'],
  },
  writeManifest: {
    summary: 'Publish the recording by writing its manifest, and notify the owner.',
    input: arrival.extend({
      /** Name of the execution, which distinguishes the events of repeated publishes. */
      executionName: z.string(),
      /** `ready` once it can be watched, `complete` when every format was made or has failed. */
      stage: z.enum(['ready', 'complete']),
      inspection: readyTasks.inspectRecording.output.nullable(),
      /** Null while they are pending. */
      hashes: hashes.nullable(),
      /** Null when it was not measured. */
      loudness: loudness.nullable(),
      files: z.array(publishedFile),
      /** Formats that could not be made. */
      missing: z.array(missingFormat),
      /** Version of ffmpeg; null when it was not used. */
      ffmpeg: ffmpeg.nullable(),
      failure: stateError.nullable(),
      /** Earlier attempts of the state. Missing if no later attempt may follow. */
      retryCount: z.int().optional(),
    }),
    /**
     * `replaced` when the file has been replaced meanwhile: nothing was written, and the publish of the new file reports; or
     * when the recording is deleted. It can be rebuilt once it is restored.
     * `withheld` when it differs from the platform's record and another file is published, which stays.
     */
    output: manifest
      .pick({ archiveId: true, message: true })
      .extend({ status: z.enum([...manifest.shape.status.options, 'replaced', 'withheld']) }),
    timeout: 60,
    capabilities: [
      ...(['platform', 'showRequests', 'showStates', 'archives', 'retention'] as const),
      ...(['formerVersions', 'manifests', 'madeFiles', 'recordings', 'tools', 'events'] as const),
      ...(['clips', 'deletionRecords', 'publishMachine'] as const),
    ],
  },
} as const satisfies Record<string, Task>
