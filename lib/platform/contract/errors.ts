import { z } from 'zod'
import type { ErrorStatus, Operation } from './operation.ts'

/** The body of every error answer. `code` repeats the HTTP status, except in answers of startComposer. */
export const errorBody = z
  .looseObject({ code: z.int(), message: z.string() })
  .meta({ id: 'Error', description: 'The reason why a request was refused.' })

/** The meaning of each error status, for any operation. */
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

/** Causes that several operations share. */
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

/** The errors of every operation that the project's credentials sign. */
export const commonErrors = { 403: causes.credentials, 500: causes.platform } as const

/** The two messages of a 404 of startArchive and startBroadcast, which distinguish a missing session from an empty one. */
export const startRefusals = {
  noSession: 'Session not found',
  noClients: 'No clients connected',
} as const

/** The answer to a request that breaks its schema. */
export interface SchemaRefusal {
  readonly status: ErrorStatus
  readonly code: number
  /** The platform's message, if it is known. Otherwise the server chooses one. */
  readonly message?: string
}

/**
 * Returns the answer to a request that breaks its schema. The first issue decides. The status is 400, or the status in the
 * issue's `params` (413 for signals that are too long). startComposer has its own code for each field.
 */
export function refusalOf({ codes }: Pick<Operation, 'codes'>, { issues: [issue] }: z.ZodError): SchemaRefusal {
  const status: ErrorStatus = (issue?.code === 'custom' && issue.params?.status) || 400
  return { status, code: status, ...codes?.[issue?.path.join('.') ?? ''] }
}
