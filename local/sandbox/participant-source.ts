import { z } from 'zod'

/** Where a participant's picture and sound come from, as whoever joins asks for it: generated unless told otherwise. */
export const participantSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('pattern') }),
    z.object({ type: z.literal('file'), path: z.string().min(1) }),
  ])
  .default({ type: 'pattern' })
