import { z } from 'zod'
import { loudness, missingFormat, publishedFile } from '../documents/manifest.ts'
import { ffmpeg } from '../tools.ts'
import type { Task } from './task.ts'

/** Seconds of a recording. */
export const stretch = z.object({ start: z.number(), end: z.number() })

export const measureSound = {
  summary: 'Publish the waveform, and find loudness and silences, in one pass over the sound that was copied.',
  input: z.object({
    archiveId: z.string(),
    /** Of the source. */
    etag: z.string(),
    keepDays: z.int().nullable(),
    /** Key of the sound alone. */
    sound: z.string(),
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
  needs: ['madeFiles', 'recordings', 'ffmpeg'],
} as const satisfies Task
