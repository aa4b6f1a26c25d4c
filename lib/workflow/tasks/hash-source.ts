import { z } from 'zod'
import { arrival } from './inspect-recording.ts'
import type { Task } from './task.ts'

export const hashSource = {
  summary: 'Read the source once for its SHA-256.',
  input: arrival,
  output: z.object({ sha256: z.string() }),
  timeout: 900,
  memory: 512,
  needs: ['archives'],
} as const satisfies Task
