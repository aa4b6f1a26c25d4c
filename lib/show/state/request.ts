import { z } from 'zod'
import { show } from '../document/show.ts'

/** `shows/<id>/request.json`: the accepted show document; written once. */
export const showRequest = z.object({
  version: z.literal(1),
  showId: z.string(),
  acceptedAt: z.iso.datetime(),
  /** The subject of the token with which the show was posted; absent if an execution was started directly. */
  by: z.string().optional(),
  show,
})
export type ShowRequest = z.output<typeof showRequest>
