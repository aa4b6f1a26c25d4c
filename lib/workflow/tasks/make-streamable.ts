import { z } from 'zod'
import { missingFormat, publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

export const makeStreamable = {
  summary:
    'Have S3 assemble a copy of the file with its index before its media; a file that has it there is left alone.',
  input: arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() }),
  /** One, whose SHA-256 is pending, since Hash source finds it; none of a file whose index does not allow it. */
  output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
  timeout: 900,
  memory: 512,
  needs: ['archives', 'recordings'],
} as const satisfies Task
