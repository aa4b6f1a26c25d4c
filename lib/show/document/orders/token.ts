import { z } from 'zod'
import { clientRoles } from '../../../platform/contract/tokens.ts'
import { layoutClasses } from '../fields/layout-classes.ts'
import { dialInOfTag } from '../fields/names.ts'

/** Seconds: a day, which outlasts most shows; whoever is connected stays. */
const MAX_VALIDITY = 86_400
/** Characters of connection data that the platform's clients take. */
const MAX_DATA = 1_000

/** Who is let into a show. */
export const tokenOrder = z.strictObject({
  role: z.enum(clientRoles).describe('What its bearer may do in the session.'),
  data: z
    .string()
    .max(MAX_DATA)
    .refine((data) => !dialInOfTag(data), {
      message: 'must not have the form <show>/dial-ins/<name>: by that the calls of dial-ins are known',
    })
    .optional()
    .describe('What the other participants and the platform’s callbacks see of its bearer, such as a name.'),
  expiresIn: z
    .int()
    .min(1)
    .max(MAX_VALIDITY)
    .default(3_600)
    .describe('Seconds in which its bearer can connect; who is connected stays.'),
  layoutClasses: layoutClasses
    .default([])
    .describe('Layout classes that the streams of its bearer begin with, such as focus or full, up to 10.'),
})
