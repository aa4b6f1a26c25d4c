import { z } from 'zod'
import { missingFormat, publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import { ffmpeg } from '../tools.ts'
import type { Task } from './task.ts'

export const makePoster = {
  summary: 'Choose the best of several keyframes and publish it as a JPEG.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** No files for a recording without video, and for one whose video cannot be decoded. */
  output: z.object({ files: z.array(publishedFile), ffmpeg, missing: missingFormat.optional() }),
  timeout: 300,
  memory: 1024,
  needs: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task
