import { z } from 'zod'
import { rung } from '../ladder.ts'
import { ffmpeg } from '../tools.ts'
import { cutPiece } from './cut-piece.ts'
import type { Task } from './task.ts'

export const encodePiece = {
  summary: 'Encode one piece in every smaller size of the ladder, from one decoding.',
  input: cutPiece.input.extend({
    /** Pixels as shown, as inspected. */
    picture: z.object({ width: z.int(), height: z.int() }),
    ladder: z.array(rung).max(8),
  }),
  output: cutPiece.output.extend({ ffmpeg }),
  timeout: 900,
  memory: 3008,
  needs: ['archives', 'recordings', 'ffmpeg'],
} as const satisfies Task
