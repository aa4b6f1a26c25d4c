import { z } from 'zod'
import { causes, commonErrors } from './errors.ts'
import { type Limit, limits } from './limits.ts'
import type { Operation } from './operation.ts'

/** A text with a maximum length in UTF-8. A longer text is answered 413 instead of 400. */
const bounded = ({ value }: Limit) =>
  z
    .string()
    .refine((text) => new TextEncoder().encode(text).length <= value, {
      message: `must not be longer than ${value} bytes`,
      params: { status: 413 },
    })
    .describe(`At most ${value} bytes of UTF-8.`)

/** `type` is optional because existing SDKs let callers omit it. */
const signalBody = z.object({ type: bounded(limits.signalType).optional(), data: bounded(limits.signalData) })

const tooLong = `The type is longer than ${limits.signalType.value} bytes, or the data than ${limits.signalData.value}.`

const example = {
  sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
  type: 'chat',
  data: 'We start in a minute.',
} as const

export const signalOperations = {
  signalSession: {
    id: 'E2',
    summary: 'Sends a signal to every client of a session, with an empty from.',
    method: 'POST',
    path: '/v2/project/{apiKey}/session/{sessionId}/signal',
    body: signalBody,
    repeatable: false, // clients would receive it twice
    success: { status: 204 },
    errors: { ...commonErrors, 400: 'Invalid session id, JSON, type or data.', 404: causes.noSession, 413: tooLong },
    example: { request: example },
  },
  signalConnection: {
    id: 'E3',
    summary: 'Sends a signal to one client of a session, with an empty from.',
    method: 'POST',
    path: '/v2/project/{apiKey}/session/{sessionId}/connection/{connectionId}/signal',
    body: signalBody,
    repeatable: false, // the client would receive it twice
    success: { status: 204 },
    errors: { ...commonErrors, 400: 'Invalid session id, JSON, type or data.', 404: causes.noConnection, 413: tooLong },
    example: { request: { ...example, connectionId: '20ab1d8e-3d0b-4ba4-8c12-4a7e6b7a3c11' } },
  },
} as const satisfies Record<string, Operation>
