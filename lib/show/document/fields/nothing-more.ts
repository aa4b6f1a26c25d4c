import { z } from 'zod'

/** The body of a request that its route says all of. */
export const nothingMore = z.strictObject({})
