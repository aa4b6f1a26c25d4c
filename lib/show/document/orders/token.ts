import { z } from 'zod'
import { never } from '../../../platform/contract/schema-rules.ts'
import { clientRoles } from '../../../platform/contract/tokens.ts'
import { layoutClasses } from '../fields/layout-classes.ts'
import { dialInOfTag, dialInPattern } from '../fields/names.ts'

/** Seconds: a day, which outlasts most shows. Connected participants stay. */
const MAX_VALIDITY = 86_400
/** Characters of connection data that the platform's clients accept. */
const MAX_DATA = 1_000

/** The participant that a token admits. */
export const tokenOrder = z.strictObject({
  role: z.enum(clientRoles).describe('Rights of the participant in the session.'),
  data: z
    .string()
    .max(MAX_DATA)
    .refine((data) => !dialInOfTag(data), {
      message: 'must not have the form <show>/dial-ins/<name>, which identifies the calls of dial-ins',
    })
    .meta(never({ pattern: dialInPattern.source }))
    .optional()
    .describe('Data about the participant for other participants and the platform’s callbacks, such as a name.'),
  expiresIn: z
    .int()
    .min(1)
    .max(MAX_VALIDITY)
    .default(3_600)
    .describe('Seconds in which the token can be used; connected participants stay.'),
  layoutClasses: layoutClasses
    .default([])
    .describe('Initial layout classes of the participant’s streams, such as focus or full, up to 10.'),
})
