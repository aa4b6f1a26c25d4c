import { z } from 'zod'
import { loudness, manifest, missingFormat, publishedFile } from '../publish/manifest/manifest.ts'
import { arrival } from './arrival.ts'
import { ffmpeg } from './ffmpeg-field.ts'
import { cutPiece, inspectRecording } from './publish-ready.ts'
import { rung } from './rendition.ts'
import { stateError } from './state-errors.ts'
import type { Task } from './task.ts'

export const makeThumbnails = {
  summary: 'Publish thumbnails as sprite sheets, and WebVTT with their times.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** No files for a recording without video, and for one whose video cannot be decoded. */
  output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
  timeout: 600,
  memory: 1024,
  capabilities: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const copyAudio = {
  summary: 'Publish the audio alone, as it was recorded.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** No files for a recording without audio, and for one whose audio cannot be copied. */
  output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
  timeout: 900,
  memory: 1024,
  capabilities: ['archives', 'recordings'],
} as const satisfies Task

/** Seconds of a recording. */
export const stretch = z.object({ start: z.number(), end: z.number() })

export const measureAudio = {
  summary: 'Publish the waveform, and find loudness and silences, in one pass over the copied audio.',
  input: z.object({
    archiveId: z.string(),
    /** Of the source. */
    etag: z.string(),
    keepDays: z.int().nullable(),
    /** Key of the audio alone. */
    audio: z.string(),
  }),
  output: z.object({
    files: z.array(publishedFile),
    /** Null where nothing is loud enough to be measured. */
    loudness: loudness.nullable(),
    /** In order, 500 at most. */
    silences: z.array(stretch),
    ffmpeg,
    missing: missingFormat.optional(),
  }),
  timeout: 900,
  memory: 2048,
  capabilities: ['madeFiles', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const findChapters = {
  summary: 'Divide the recording into chapters where it is black or silent, and publish them as WebVTT.',
  input: arrival.extend({
    archiveId: z.string(),
    keepDays: z.int().nullable(),
    /** Seconds of the whole recording. */
    duration: z.number(),
    /** What Measure audio has found. */
    silences: z.array(stretch),
  }),
  /** No files for a recording that nothing parts. */
  output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
  timeout: 600,
  memory: 1024,
  capabilities: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const encodePiece = {
  summary: 'Encode one piece in every smaller size of the ladder, from one decoding.',
  input: cutPiece.input.extend({
    /** Pixels as shown, as inspected. */
    picture: z.object({ width: z.int(), height: z.int() }),
    ladder: z.array(rung).max(8),
  }),
  output: cutPiece.output.extend({ ffmpeg }),
  timeout: 900,
  memory: 3008,
  capabilities: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task

export const hashSource = {
  summary: 'Read the source once for its SHA-256 and that of its faststart copy.',
  input: arrival,
  output: z.object({
    sha256: z.string(),
    /** The source’s own where that is faststart already; null for a file of which there is no such copy. */
    faststartSha256: z.string().nullable(),
  }),
  timeout: 900,
  memory: 512,
  capabilities: ['archives'],
} as const satisfies Task

export const writeManifest = {
  summary: 'Publish the recording by writing its manifest, and notify the owner.',
  input: arrival.extend({
    /** Of its execution: tells the event of one that is published once more from the first. */
    executionName: z.string(),
    /** `ready` once it can be watched, `complete` when all of it is made or will not be. */
    stage: z.enum(['ready', 'complete']),
    inspection: inspectRecording.output.nullable(),
    /** Null as long as they are pending. */
    hashes: hashSource.output.nullable(),
    /** Null where it was not measured. */
    loudness: loudness.nullable(),
    files: z.array(publishedFile),
    /** What could not be made. */
    missing: z.array(missingFormat),
    /** Its version; null where nothing needed it. */
    ffmpeg: ffmpeg.nullable(),
    /** Why publishing failed. */
    failure: stateError.nullable(),
  }),
  /**
   * `replaced` when the file has been replaced meanwhile: nothing was written, since its own publish tells of it. `withheld`
   * when it differs from the platform's record and another file is published, which stays.
   */
  output: manifest
    .pick({ archiveId: true, message: true })
    .extend({ status: z.enum([...manifest.shape.status.options, 'replaced', 'withheld']) }),
  timeout: 60,
  capabilities: [
    ...(['platform', 'showRequests', 'showStates', 'archives', 'retention'] as const),
    ...(['formerVersions', 'manifests', 'madeFiles', 'recordings', 'tools', 'events'] as const),
  ],
} as const satisfies Task
