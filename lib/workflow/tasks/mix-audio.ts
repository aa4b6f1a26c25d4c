import { z } from 'zod'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

export const mixAudio = {
  summary: 'Mix the sound of all streams of an archive.zip, in one pass, so that there is no seam.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** False where nobody is heard: then there is no sound to be assembled. */
  output: z.object({ hasAudio: z.boolean(), edition: z.string() }),
  timeout: 900,
  memory: 3008,
  needs: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task
