import { z } from 'zod'
import { causes } from './errors.ts'
import type { Operation } from './operation.ts'
import { listOf } from './paging.ts'

export const videoTypes = ['camera', 'screen', 'custom'] as const

export const stream = z
  .looseObject({
    id: z.string(),
    videoType: z.enum(videoTypes),
    name: z.string(),
    layoutClassList: z.array(z.string()),
  })
  .meta({ id: 'Stream', description: 'One published stream of a session.' })

export type Stream = z.infer<typeof stream>

const example: Stream = {
  id: '8b732909-0a06-46a2-8ea8-074e64d43422',
  videoType: 'camera',
  name: 'Ada',
  layoutClassList: [],
}

export const streamOperations = {
  getStream: {
    id: 'E5',
    summary: 'Read one stream of a session.',
    method: 'GET',
    path: '/v2/project/{apiKey}/session/{sessionId}/stream/{streamId}',
    credentials: 'project',
    repeatable: true,
    success: { status: 200, response: stream },
    errors: {
      400: 'Invalid session id.',
      403: causes.credentials,
      404: 'Session or stream not found.',
      408: 'Malformed stream id.',
      500: causes.platform,
    },
    example: {
      request: { sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4', streamId: example.id },
      response: example,
    },
  },
  listStreams: {
    id: 'E5',
    summary: 'List the streams of a session in order of publishing.',
    method: 'GET',
    path: '/v2/project/{apiKey}/session/{sessionId}/stream',
    credentials: 'project',
    repeatable: true,
    success: { status: 200, response: listOf(stream) },
    errors: {
      400: 'Invalid session id.',
      403: causes.credentials,
      404: 'Session not found, or without streams.',
      500: causes.platform,
    },
    example: {
      request: { sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4' },
      response: { count: 1, items: [example] },
    },
  },
} as const satisfies Record<string, Operation>
