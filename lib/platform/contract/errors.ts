import { z } from 'zod'

/** The body of every error the platform answers: `code` repeats the HTTP status (E27 has codes of its own). */
export const errorBody = z
  .looseObject({ code: z.int(), message: z.string() })
  .meta({ id: 'Error', description: 'Why a request was refused.' })

/** Causes that several operations share, in the words of the documentation. */
export const causes = {
  credentials: 'Invalid API key, invalid or expired token, or not authorized.',
  platform: 'The platform failed.',
  notConnected: 'Session not found, or no clients connected.',
} as const

/** The two bodies of a 404 on start (E9, E21) by which a missing session and an empty one are told apart. */
export const startRefusals = {
  noSession: 'Session not found',
  noClients: 'No clients connected',
} as const
