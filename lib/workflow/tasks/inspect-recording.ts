import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { mediaFacts } from '../documents/manifest.ts'
import type { Task } from './task.ts'

/** The object a publish execution works on; reads fail when it has been replaced since. */
export const arrival = z.object({ bucket: z.string(), key: z.string(), etag: z.string() })

export const inspectRecording = {
  summary: 'Read the file’s structure by ranges and compare it with the platform’s record.',
  input: arrival,
  output: z.object({
    archiveId: z.string(),
    size: z.int(),
    facts: mediaFacts,
    /** What the platform says of it; absent when it does not know the archive. */
    record: z
      .object({ status: z.enum(archiveStatuses), size: z.int(), duration: z.int(), createdAt: z.iso.datetime() })
      .optional(),
    /** Where file and record differ, in words. */
    differences: z.array(z.string()),
  }),
  timeout: 120,
  memory: 512,
  needs: ['platform', 'archives'],
} as const satisfies Task
