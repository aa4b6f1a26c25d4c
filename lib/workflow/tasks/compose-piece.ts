import { z } from 'zod'
import { arrival, piece } from '../source.ts'
import type { Task } from './task.ts'

export const composePiece = {
  summary: 'Encode one piece of the picture in which all streams of an archive.zip are seen together.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable(), piece }),
  /** The edition is the same for every piece, and for the sound. */
  output: z.object({ index: z.int(), edition: z.string() }),
  timeout: 900,
  memory: 3008,
  needs: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task
