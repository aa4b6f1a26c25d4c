import { z } from 'zod'
import { loudness, publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import { ffmpeg } from '../tools.ts'
import type { Task } from './task.ts'

/** Seconds of a recording. */
export const stretch = z.object({ start: z.number(), end: z.number() })

export const measureSound = {
  summary: 'Publish the sound alone, and the waveform, loudness and silences that one pass over it finds.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** No files for a recording without sound. */
  output: z.object({
    files: z.array(publishedFile),
    /** Null where nothing is loud enough to be measured. */
    loudness: loudness.nullable(),
    /** In order, 500 at most; where there is no sound there is none either. */
    silences: z.array(stretch),
    ffmpeg,
  }),
  timeout: 900,
  memory: 2048,
  needs: ['archives', 'recordings', 'madeFiles', 'ffmpeg'],
} as const satisfies Task
