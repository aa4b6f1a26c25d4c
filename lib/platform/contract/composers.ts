import { z } from 'zod'
import { causes, commonErrors } from './errors.ts'
import { resolution } from './layouts.ts'
import { limits } from './limits.ts'
import type { Operation } from './operation.ts'
import { listOf, pageQuery } from './paging.ts'
import { sentKey } from './projects.ts'
import { webUrlRule } from './schema-rules.ts'

export const composerStatuses = ['starting', 'started', 'stopped', 'failed'] as const
export type ComposerStatus = (typeof composerStatuses)[number]

/** Reasons of stopped composers. A failed composer has another message. */
export const composerReasons = {
  maximumDuration: 'Max Duration Exceeded',
  stopRequested: 'Stop Requested',
} as const

export const composer = z
  .looseObject({
    id: z.string(),
    sessionId: z.string(),
    projectId: sentKey(),
    /** Milliseconds since the epoch. */
    createdAt: z.int(),
    updatedAt: z.int(),
    url: z.string(),
    resolution,
    status: z.enum(composerStatuses),
    /** Only when stopped or failed. */
    reason: z.string().nullish(),
    /** Id of the stream it publishes. Absent while starting, and sometimes after a failure. */
    streamId: z.string().nullish(),
  })
  .meta({ id: 'Composer', description: 'A web page rendered and published as a stream of a session.' })

export type Composer = z.infer<typeof composer>

const startComposerBody = z.object({
  sessionId: z.string().min(1),
  token: z.string().min(1).describe('Client token of a role that may publish.'),
  url: z
    .url({ protocol: /^https?$/ })
    .min(limits.composerUrlMin.value)
    .max(limits.composerUrlMax.value)
    .meta(webUrlRule)
    .describe('Web page that the platform can reach.'),
  maxDuration: z
    .int()
    .min(limits.composerDurationMin.value)
    .max(limits.composerDurationMax.value)
    .default(limits.composerDurationDefault.value)
    .describe('Seconds after which the composer stops.'),
  resolution: resolution.default('1280x720'),
  properties: z
    .object({
      name: z
        .string()
        .min(limits.composerNameMin.value)
        .max(limits.composerNameMax.value)
        .optional()
        .describe('Name of the published stream.'),
    })
    .optional(),
})

/** Error bodies of startComposer by field. Only `50005` is known (docs/platform/composers.md#errors); the sandbox assigns others. */
export const composerCodes = {
  sessionId: { code: 50001, message: 'Invalid sessionId provided.' },
  token: { code: 50002, message: 'Invalid token provided.' },
  url: { code: 50003, message: 'Invalid url provided.' },
  resolution: { code: 50004, message: 'Invalid resolution provided.' },
  maxDuration: { code: 50005, message: 'Invalid maxDuration provided.' },
  properties: { code: 50006, message: 'Invalid properties provided.' },
  'properties.name': { code: 50007, message: 'Invalid properties.name provided.' },
} as const

const starting = {
  id: '80abaf0d-25a3-4efc-968f-6268d620668d',
  sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
  projectId: '100001',
  createdAt: 1795166400000,
  updatedAt: 1795166400000,
  url: 'https://scenes.example.com/lower-third',
  resolution: '1280x720',
  status: 'starting',
} as const

const started = {
  ...starting,
  updatedAt: 1795166403000,
  status: 'started',
  streamId: 'e32445b7-43e1-4b6b-9d6c-0d6a2d0e7f15',
} as const

export const composerOperations = {
  startComposer: {
    id: 'E27',
    summary: 'Renders a public web page and publishes it as a stream of a session.',
    method: 'POST',
    path: '/v2/project/{apiKey}/render',
    body: startComposerBody,
    codes: composerCodes,
    repeatable: false,
    success: { status: 202, response: composer },
    errors: {
      400: 'Invalid JSON, or an invalid field, which the code names.',
      403: 'Invalid API key or token, not authorized, or the role of the client token may not publish.',
      500: causes.platform,
    },
    example: {
      request: {
        sessionId: starting.sessionId,
        token: '<client token>',
        url: starting.url,
        maxDuration: 3600,
        resolution: starting.resolution,
        properties: { name: 'Lower third' },
      },
      response: starting,
    },
  },
  getComposer: {
    id: 'E28',
    summary: 'Returns one composer.',
    method: 'GET',
    path: '/v2/project/{apiKey}/render/{composerId}',
    repeatable: true,
    success: { status: 200, response: composer },
    errors: { ...commonErrors, 400: 'Invalid composer id.', 404: 'Composer not found.' },
    example: { request: { composerId: started.id }, response: started },
  },
  listComposers: {
    id: 'E29',
    summary: 'Lists composers, newest first.',
    method: 'GET',
    path: '/v2/project/{apiKey}/render',
    query: pageQuery,
    repeatable: true,
    success: { status: 200, response: listOf(composer) },
    // The observed 404 of reads and lists belongs to getComposer: an empty list is answered 200.
    errors: { ...commonErrors, 400: 'Invalid offset or count.' },
    example: { request: { count: 50 }, response: { count: 1, items: [started] } },
  },
  stopComposer: {
    id: 'E30',
    summary: 'Stops a composer and unpublishes its stream.',
    method: 'DELETE',
    path: '/v2/project/{apiKey}/render/{composerId}',
    repeatable: true, // a composer that has stopped or failed keeps its status
    success: { status: 200 },
    errors: { ...commonErrors, 400: 'Invalid composer id.', 404: 'Composer not found.' },
    example: { request: { composerId: started.id } },
  },
} as const satisfies Record<string, Operation>
