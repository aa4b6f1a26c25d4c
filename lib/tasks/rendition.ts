import { z } from 'zod'

/** A smaller copy of the picture. */
export const rung = z.strictObject({
  name: z.string().regex(/^[0-9a-z]{1,16}$/, 'must be 1 to 16 lower-case letters and digits'),
  height: z.int().min(64).max(4_320).describe('Pixels of the picture’s shorter side.'),
  maxVideoBitrate: z.int().min(50_000).max(50_000_000).describe('Bits per second.'),
})

/** The sizes below a recording's own that it is published in, as far as they are smaller. */
export const ladder = z
  .array(rung)
  .max(8)
  .refine((rungs) => new Set(rungs.map(({ name }) => name)).size === rungs.length, 'must not give two sizes one name')
  .default([
    { name: '720p', height: 720, maxVideoBitrate: 2_500_000 },
    { name: '480p', height: 480, maxVideoBitrate: 1_200_000 },
    { name: '240p', height: 240, maxVideoBitrate: 400_000 },
  ])
