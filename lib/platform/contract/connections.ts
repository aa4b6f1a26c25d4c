import { causes, commonErrors } from './errors.ts'
import type { Operation } from './operation.ts'

/** The documented message of a 404 of forceDisconnect. */
export const connectionNotFound = 'Connection not found'

export const connectionOperations = {
  forceDisconnect: {
    id: 'E4',
    summary: 'Disconnects a client from its session.',
    method: 'DELETE',
    path: '/v2/project/{apiKey}/session/{sessionId}/connection/{connectionId}',
    repeatable: true, // a repetition is answered 404
    success: { status: 204 },
    errors: { ...commonErrors, 400: causes.sessionId, 404: causes.noConnection },
    example: {
      request: {
        sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
        connectionId: '20ab1d8e-3d0b-4ba4-8c12-4a7e6b7a3c11',
      },
    },
  },
} as const satisfies Record<string, Operation>
