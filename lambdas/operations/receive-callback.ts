import type { Receiver } from '../../lib/events/platform-events.ts'
import { acceptCallback } from '../../lib/operations/platform-callbacks/platform-callbacks.ts'
import { ApiProblem, problemResponse } from '../http/problem.ts'
import { taskHandler } from '../middleware/task.ts'

const types = { 401: 'untrusted-callback', 404: 'unregistered-callback', 422: 'unknown-callback' } as const

/** `POST /callbacks/{kind}`: receives what the platform posts. */
export const handler = taskHandler(
  'receiveCallback',
  async (services, { headers, pathParameters, body, isBase64Encoded }) => {
    const refusal = await acceptCallback(services, pathParameters.kind as Receiver, {
      authorization: headers.authorization,
      body: isBase64Encoded ? Buffer.from(body, 'base64') : Buffer.from(body),
    })
    return refusal
      ? problemResponse(new ApiProblem(types[refusal.status], refusal.detail))
      : { statusCode: 204, headers: {}, body: '' }
  },
)
