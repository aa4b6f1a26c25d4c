import { z } from 'zod'

/** A smaller copy of the picture. */
export const rung = z.object({
  name: z.string().regex(/^[0-9a-z]{1,16}$/),
  /** Pixels of the picture’s shorter side. */
  height: z.int().min(64).max(4320),
  /** Bits per second. */
  maxVideoBitrate: z.int().min(50_000).max(50_000_000),
})

/** The sizes below a recording's own that it is published in, as far as they are smaller. */
export const ladder = [
  { name: '720p', height: 720, maxVideoBitrate: 2_500_000 },
  { name: '480p', height: 480, maxVideoBitrate: 1_200_000 },
  { name: '240p', height: 240, maxVideoBitrate: 400_000 },
] as const satisfies readonly z.output<typeof rung>[]
