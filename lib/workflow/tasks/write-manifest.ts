import { z } from 'zod'
import { loudness, manifest, missingFormat, publishedFile } from '../documents/manifest.ts'
import { stateError } from '../failures.ts'
import { arrival } from '../source.ts'
import { ffmpeg } from '../tools.ts'
import { hashSource } from './hash-source.ts'
import { inspectRecording } from './inspect-recording.ts'
import type { Task } from './task.ts'

export const writeManifest = {
  summary: 'Publish the recording by writing its manifest, and tell the owner.',
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
  needs: [
    ...(['platform', 'showRequests', 'showStates', 'archives', 'retention'] as const),
    ...(['formerVersions', 'manifests', 'madeFiles', 'recordings', 'tools', 'events'] as const),
  ],
} as const satisfies Task
