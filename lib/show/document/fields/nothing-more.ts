import { z } from 'zod'

/** An empty body, for a request whose route is complete. */
export const nothingMore = z.strictObject({})
