import { z } from 'zod'
import { mediaFacts, missingFormat, publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

export const writePlaylists = {
  summary: 'Write the HLS playlists that lead to what the pieces were cut and encoded to.',
  input: arrival.extend({
    archiveId: z.string(),
    keepDays: z.int().nullable(),
    facts: mediaFacts,
    /** How many there are. */
    pieces: z.int().min(1).max(1000),
    /** Of what was cut, and of what was encoded: null as long as that is not there. */
    editions: z.object({ hls: z.string(), renditions: z.string().nullable() }),
  }),
  /** Everything a player loads, the master playlist last. */
  output: z.object({ files: z.array(publishedFile), missing: missingFormat.optional() }),
  timeout: 120,
  memory: 512,
  needs: ['recordings', 'madeFiles'],
} as const satisfies Task
