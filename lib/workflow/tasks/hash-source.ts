import { z } from 'zod'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

export const hashSource = {
  summary: 'Read the source once for its SHA-256 and that of its streamable copy.',
  input: arrival,
  output: z.object({
    sha256: z.string(),
    /** The source’s own where that is streamable already; null for a file of which there is no such copy. */
    streamableSha256: z.string().nullable(),
  }),
  timeout: 900,
  memory: 512,
  needs: ['archives'],
} as const satisfies Task
