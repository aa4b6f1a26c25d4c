import { z } from 'zod'

/** A marker that was requested while the show was live. Planned ones are in the show document. */
export const requestedMarker = z.object({
  /** Id of the control. */
  id: z.string(),
  /** The time that it marks. */
  at: z.iso.datetime(),
  title: z.string(),
})
