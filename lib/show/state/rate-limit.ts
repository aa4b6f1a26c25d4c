import { z } from 'zod'

const time = z.iso.datetime()

/** `rate-limit.json`: the token bucket of the platform calls of all functions, while the platform throttles. */
export const rateLimit = z.object({
  version: z.literal(1),
  /** Until then calls need a token. The next throttled call extends it. */
  until: time,
  /** Tokens per second at `changedAt`. Later the rate rises to that of the settings. */
  rate: z.number().positive(),
  changedAt: time,
  /** When the rate was last lowered. */
  loweredAt: time,
  /** When the next token is available. */
  nextAt: time,
})
export type RateLimit = z.output<typeof rateLimit>
