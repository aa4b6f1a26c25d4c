import { z } from 'zod'
import { causes, commonErrors } from './errors.ts'
import type { Operation } from './operation.ts'
import { listOf } from './paging.ts'
import { project, projectExample } from './projects.ts'

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

const setLayoutClassesBody = z.object({
  items: z.array(z.object({ id: z.string().min(1), layoutClassList: z.array(z.string()) })).min(1),
})

/** An empty body mutes the whole session. Any other body must have `active`. */
const muteSessionBody = z
  .object({
    active: z
      .boolean()
      .describe('true mutes all current and future streams; false stops muting future ones and unmutes none.'),
    excludedStreamIds: z
      .array(z.string())
      .optional()
      .describe('Streams that are not muted; ignored if active is false.'),
  })
  .optional()
  .transform(({ active, excludedStreamIds = [] } = { active: true }) => ({ active, excludedStreamIds }))

const sessionId = '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4'

const example: Stream = {
  id: '8b732909-0a06-46a2-8ea8-074e64d43422',
  videoType: 'camera',
  name: 'Ada',
  layoutClassList: [],
}

export const streamOperations = {
  getStream: {
    id: 'E5',
    summary: 'Returns one stream of a session.',
    method: 'GET',
    path: '/v2/project/{apiKey}/session/{sessionId}/stream/{streamId}',
    repeatable: true,
    success: { status: 200, response: stream },
    errors: {
      ...commonErrors,
      400: causes.sessionId,
      404: 'Session or stream not found.',
      408: 'Malformed stream id.',
    },
    example: {
      request: { sessionId, streamId: example.id },
      response: example,
    },
  },
  listStreams: {
    id: 'E5',
    summary: 'Lists the streams of a session in order of publishing.',
    method: 'GET',
    path: '/v2/project/{apiKey}/session/{sessionId}/stream',
    repeatable: true,
    success: { status: 200, response: listOf(stream) },
    errors: { ...commonErrors, 400: causes.sessionId, 404: 'Session not found, or without streams.' },
    example: {
      request: { sessionId },
      response: { count: 1, items: [example] },
    },
  },
  setStreamLayoutClasses: {
    id: 'E6',
    summary: 'Sets the layout classes of streams for all archives and broadcasts of the session.',
    method: 'PUT',
    path: '/v2/project/{apiKey}/session/{sessionId}/stream',
    body: setLayoutClassesBody,
    repeatable: true,
    success: { status: 200 },
    errors: { ...commonErrors, 400: 'Invalid session id, JSON or items, or a stream that the session does not have.' },
    example: { request: { sessionId, items: [{ id: example.id, layoutClassList: ['focus'] }] } },
  },
  muteStream: {
    id: 'E7',
    summary: 'Mutes the audio of one stream.',
    method: 'POST',
    path: '/v2/project/{apiKey}/session/{sessionId}/stream/{streamId}/mute',
    repeatable: true,
    success: { status: 200, response: project },
    errors: {
      ...commonErrors,
      400: 'Invalid session or stream id, or a body that is not valid JSON.',
      404: 'Session or stream not found.',
    },
    example: { request: { sessionId, streamId: example.id }, response: projectExample },
  },
  muteSession: {
    id: 'E8',
    summary: 'Mutes the audio of all current and future streams of a session, or stops muting future streams.',
    method: 'POST',
    path: '/v2/project/{apiKey}/session/{sessionId}/mute',
    body: muteSessionBody,
    repeatable: true,
    success: { status: 200, response: project },
    errors: { ...commonErrors, 400: 'Invalid session id, JSON or field.', 404: causes.noSession },
    example: { request: { sessionId, active: true, excludedStreamIds: [example.id] }, response: projectExample },
  },
} as const satisfies Record<string, Operation>
