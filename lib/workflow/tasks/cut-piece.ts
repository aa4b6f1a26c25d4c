import { z } from 'zod'
import { missingFormat } from '../documents/manifest.ts'
import { arrival, piece } from '../source.ts'
import type { Task } from './task.ts'

export const cutPiece = {
  summary: 'Cut one piece into HLS segments by copy, and note where each lies.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable(), piece }),
  output: z.object({ index: z.int(), edition: z.string(), missing: missingFormat.optional() }),
  timeout: 900,
  memory: 1024,
  needs: ['archives', 'recordings'],
} as const satisfies Task
