import { z } from 'zod'
import { show } from '../document/show.ts'

/** `shows/<id>/request.json`: the accepted show document; written once. A later edit is stored beside it. */
export const showRequest = z.object({
  version: z.literal(1),
  showId: z.string(),
  acceptedAt: z.iso.datetime(),
  /** The subject of the token with which the show was posted; absent if an execution was started directly. */
  by: z.string().optional(),
  /** The recurring show that started it. */
  scheduleId: z.string().optional(),
  show,
})
export type ShowRequest = z.output<typeof showRequest>

/** `shows/<id>/edits/<digest>.json`: a document that replaced that of a scheduled show, if the show's state names it. */
export const showEdit = z.object({ version: z.literal(1), showId: z.string(), show })
export type ShowEdit = z.output<typeof showEdit>
