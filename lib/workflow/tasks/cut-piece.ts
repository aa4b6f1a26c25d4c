import { z } from 'zod'
import { arrival } from './inspect-recording.ts'
import type { Task } from './task.ts'

/** A stretch of a recording that one worker takes, in seconds; it begins at a keyframe. */
export const piece = z.object({ index: z.int().min(0), start: z.number(), end: z.number() })

export const cutPiece = {
  summary: 'Cut one piece into HLS segments by copy, and note where each lies.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable(), piece }),
  output: z.object({ index: z.int(), edition: z.string() }),
  timeout: 900,
  memory: 1024,
  needs: ['archives', 'recordings'],
} as const satisfies Task
