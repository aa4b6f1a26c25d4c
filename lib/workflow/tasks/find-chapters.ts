import { z } from 'zod'
import { missingFormat, publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import { ffmpeg } from '../tools.ts'
import { stretch } from './measure-sound.ts'
import type { Task } from './task.ts'

export const findChapters = {
  summary: 'Part the recording into chapters where it is black or silent, and publish them as WebVTT.',
  input: arrival.extend({
    archiveId: z.string(),
    keepDays: z.int().nullable(),
    /** Seconds of the whole recording. */
    duration: z.number(),
    /** What Measure sound has found. */
    silences: z.array(stretch),
  }),
  /** No files for a recording that nothing parts. */
  output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
  timeout: 600,
  memory: 1024,
  needs: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task
