import { z } from 'zod'
import type { ErrorStatus, Operation } from './operation.ts'

/** The body of every error the platform answers: `code` repeats the HTTP status (startComposer has codes of its own). */
export const errorBody = z
  .looseObject({ code: z.int(), message: z.string() })
  .meta({ id: 'Error', description: 'Why a request was refused.' })

/** What each status says of a request, whichever the operation. */
export const statusMeanings = {
  400: 'A property is missing or invalid, the JSON is invalid, an id is malformed, or options exclude each other.',
  403: 'The API key or the token is invalid, or not authorized for this.',
  404: 'A session, stream, connection, archive, broadcast, composer, project or upload target was not found.',
  405: 'The resource selects its streams automatically: its stream mode is auto.',
  408: 'A stream id is malformed.',
  409: 'The session is not routed, the tag is in use, or the resource is not in a state that allows it.',
  413: 'A signal is too long.',
  500: 'The platform failed.',
} as const satisfies Record<ErrorStatus, string>

/** Causes that several operations share, in the words of the documentation. */
export const causes = {
  credentials: 'Invalid API key, invalid or expired token, or not authorized.',
  account: 'Invalid account key, invalid or expired token, or not authorized.',
  platform: statusMeanings[500],
  sessionId: 'Invalid session id.',
  notConnected: 'Session not found, or no clients connected.',
  noSession: 'Session not found.',
  noConnection: 'Session or connection not found.',
  noProject: 'Project not found.',
} as const

/** The two messages of a 404 of startArchive and startBroadcast, which distinguish a missing session from an empty one. */
export const startRefusals = {
  noSession: 'Session not found',
  noClients: 'No clients connected',
} as const

/** What a request that breaks its schema is answered with. */
export interface SchemaRefusal {
  readonly status: ErrorStatus
  /** The body's `code`. */
  readonly code: number
  /** Words that the platform is known to use; where there are none, whoever answers finds them. */
  readonly message?: string
}

/**
 * Says how a broken schema is answered: by 400, unless the rule names another status in its `params` (413 for signals
 * that are too long) or the operation has a code for the field (startComposer). The first problem decides.
 */
export function refusalOf({ codes }: Pick<Operation, 'codes'>, { issues: [issue] }: z.ZodError): SchemaRefusal {
  const status: ErrorStatus = (issue?.code === 'custom' && issue.params?.status) || 400
  return { status, code: status, ...codes?.[issue?.path.join('.') ?? ''] }
}
