import { z } from 'zod'
import { limits } from './limits.ts'

/** The header that carries the token, unless a deployment names it differently. */
export const AUTH_HEADER = 'X-SERVICE-AUTH'

/** Claims of the HS256 token that authenticates a call; times in Unix seconds, `exp` at most 300 s after `iat`. */
export const serviceClaims = z
  .looseObject({
    /** A number is taken as well: Insights know a project's key as one. */
    iss: z.union([z.string(), z.int().transform(String)]),
    ist: z.enum(['project', 'account']),
    iat: z.int(),
    exp: z.int(),
    jti: z.string().optional(),
  })
  .refine(({ iat, exp }) => exp > iat && exp - iat <= limits.tokenLifetime.value, {
    path: ['exp'],
    message: `must be after iat by at most ${limits.tokenLifetime.value} seconds`,
  })

export const clientRoles = ['publisher', 'subscriber', 'moderator', 'publisheronly'] as const

/** Claims of the HS256 token with which a participant connects to a session. */
export const clientClaims = z.looseObject({
  iss: z.string(),
  ist: z.literal('project'),
  iat: z.int(),
  exp: z.int(),
  session_id: z.string(),
  role: z.enum(clientRoles),
  nonce: z.union([z.string(), z.number()]),
  scope: z.literal('session.connect'),
  initial_layout_class_list: z.string(),
  connection_data: z.string().optional(),
})
