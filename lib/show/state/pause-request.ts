import { z } from 'zod'

/** A request to pause a recording, or to resume it. */
export const pauseRequest = z.object({
  /** Id of the control, by which a repeated request finds it. */
  id: z.string(),
  recording: z.string(),
  action: z.enum(['pause', 'resume']),
  at: z.iso.datetime(),
})
export type PauseAction = z.output<typeof pauseRequest>['action']
