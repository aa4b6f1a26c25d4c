import { z } from 'zod'

export const resolutions = ['640x480', '1280x720', '1920x1080', '480x640', '720x1280', '1080x1920'] as const
export const layoutTypes = ['bestFit', 'custom', 'horizontalPresentation', 'pip', 'verticalPresentation'] as const
export const streamModes = ['auto', 'manual'] as const

export const resolution = z.enum(resolutions)

/** How a composed picture arranges its streams; the same shape for archives and broadcasts. */
export const layout = z
  .object({
    type: z.enum(layoutTypes),
    stylesheet: z.string().optional(),
    screenshareType: z.enum(layoutTypes).exclude(['custom']).optional(),
  })
  .superRefine((value, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (value.type === 'custom' && !value.stylesheet) refuse('stylesheet', 'is required with type custom')
    if (value.type !== 'custom' && value.stylesheet) refuse('stylesheet', 'is only allowed with type custom')
    if (value.type !== 'bestFit' && value.screenshareType)
      refuse('screenshareType', 'is only allowed with type bestFit and no stylesheet')
  })
  .meta({ id: 'Layout', description: 'How a composed picture arranges its streams.' })

/** A stream chosen for an archive or a broadcast in stream mode `manual`. */
export const chosenStream = z.looseObject({ streamId: z.string(), hasAudio: z.boolean(), hasVideo: z.boolean() })
