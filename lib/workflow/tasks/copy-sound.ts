import { z } from 'zod'
import { missingFormat, publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

export const copySound = {
  summary: 'Publish the sound alone, as it was recorded.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** No files for a recording without sound, and for one whose sound cannot be copied. */
  output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
  timeout: 900,
  memory: 1024,
  needs: ['archives', 'recordings'],
} as const satisfies Task
