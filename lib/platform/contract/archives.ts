import { z } from 'zod'
import { causes, commonErrors } from './errors.ts'
import {
  chosenStream,
  layout,
  neitherTrack,
  nextLayout,
  resolution,
  streamChange,
  streamMode,
  streamModes,
} from './layouts.ts'
import { limits, quantity } from './limits.ts'
import type { Operation } from './operation.ts'
import { listOf, listQuery } from './paging.ts'
import { sentKey } from './projects.ts'
import { has, never } from './schema-rules.ts'

export const archiveStatuses = [
  'available',
  'deleted',
  'expired',
  'failed',
  'paused',
  'started',
  'stopped',
  'uploaded',
] as const
export const outputModes = ['composed', 'individual'] as const
export type ArchiveStatus = (typeof archiveStatuses)[number]

/** Reasons of stopped and failed archives. Later statuses keep the reason. */
export const archiveReasons = {
  maximumDuration: 'maximum duration exceeded',
  maximumIdle: 'maximum idle time exceeded',
  sessionEnded: 'session ended',
  userInitiated: 'user initiated',
  failure: 'failure',
} as const

export const archive = z
  .looseObject({
    id: z.string(),
    name: z.string().nullish(),
    sessionId: z.string(),
    projectId: sentKey(),
    /** The API key under its older name. Not every deployment sends it. */
    partnerId: sentKey().nullish(),
    /** Milliseconds since the epoch. */
    createdAt: z.int(),
    /** Whole seconds, rounded; 0 while started. */
    duration: z.int(),
    hasAudio: z.boolean(),
    hasVideo: z.boolean(),
    outputMode: z.enum(outputModes),
    resolution: resolution.optional(),
    streamMode: z.enum(streamModes).default('auto'),
    multiArchiveTag: z.string().optional(),
    status: z.enum(archiveStatuses),
    reason: z.string(),
    /** Bytes; 0 for archives not generated. */
    size: z.int(),
    /** Only when available; valid for 10 minutes. */
    url: z.string().nullish(),
    /** Only when started in stream mode manual. */
    streams: z.array(chosenStream).optional(),
    /** Base64 of the SHA-256 of the generated file. Not every deployment sends it. */
    sha256sum: z.string().nullish(),
  })
  .meta({ id: 'Archive', description: 'One recording of a session.' })

export type Archive = z.infer<typeof archive>
export type SentArchive = z.input<typeof archive>

/** Matches outputMode individual together with a field that only composed archives have. */
export const individualWith = (field: string) => has({ outputMode: { const: 'individual' }, [field]: {} })

const startArchiveBody = z
  .object({
    sessionId: z.string().min(1),
    hasAudio: z.boolean().default(true),
    hasVideo: z.boolean().default(true),
    layout: layout.optional(),
    multiArchiveTag: z.string().optional().describe('Tag that distinguishes simultaneous archives of a session.'),
    name: z.string().max(limits.archiveName.value).optional(),
    outputMode: z
      .enum(outputModes)
      .default('composed')
      .describe('composed writes one file; individual writes one file per stream.'),
    resolution: resolution.optional(),
    streamMode: streamMode('changeArchiveStreams'),
  })
  .superRefine((body, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (!body.hasAudio && !body.hasVideo) refuse('hasAudio', 'and hasVideo must not both be false')
    if (body.outputMode === 'individual' && body.resolution) refuse('resolution', 'is only for outputMode composed')
    if (body.outputMode === 'individual' && body.layout) refuse('layout', 'is only for outputMode composed')
  })
  .meta(never(neitherTrack, individualWith('resolution'), individualWith('layout')))

const example = {
  id: 'b40ef09b-3811-4726-b508-e41a0f96c68f',
  name: 'program',
  sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
  projectId: 100001,
  partnerId: 100001,
  createdAt: 1795166400000,
  duration: 0,
  hasAudio: true,
  hasVideo: true,
  outputMode: 'composed',
  resolution: '1280x720',
  streamMode: 'auto',
  multiArchiveTag: 'program',
  status: 'started',
  reason: '',
  size: 0,
  url: null,
} as const

export const archiveOperations = {
  startArchive: {
    id: 'E9',
    summary: 'Starts an archive of a routed session that has a client connected.',
    limits: [
      `An archive stops after ${quantity(limits.archiveDuration)} of recorded time; an automatic one continues in a new file.`,
      `It also stops ${quantity(limits.idleArchive)} after the last client stopped publishing, and ${quantity(limits.emptySession)} after the last client left.`,
      `It draws at most ${limits.archiveVideoStreams.value} video streams and mixes at most ${limits.archiveAudioStreams.value} audio streams.`,
    ],
    method: 'POST',
    path: '/v2/project/{apiKey}/archive',
    body: startArchiveBody,
    repeatable: false,
    success: { status: 200, response: archive },
    errors: {
      ...commonErrors,
      400: 'Invalid JSON or field, resolution with individual, or neither audio nor video.',
      404: causes.notConnected,
      409: 'Session not routed, already recorded without a multiArchiveTag, or the tag is not unique.',
    },
    example: {
      request: {
        sessionId: example.sessionId,
        name: 'program',
        multiArchiveTag: 'program',
        resolution: '1280x720',
        layout: { type: 'bestFit' },
      },
      response: example,
    },
  },
  stopArchive: {
    id: 'E10',
    summary: 'Stops an archive. It does not affect automatic archives.',
    method: 'POST',
    path: '/v2/project/{apiKey}/archive/{archiveId}/stop',
    repeatable: true, // a repetition is answered 409
    success: { status: 200, response: archive },
    errors: {
      ...commonErrors,
      400: 'Body that is not valid JSON. No body is needed.',
      404: 'Unknown or invalid archive id.',
      409: 'The archive is not being recorded.',
    },
    example: {
      request: { archiveId: example.id },
      response: { ...example, status: 'stopped', reason: archiveReasons.userInitiated },
    },
  },
  listArchives: {
    id: 'E11',
    summary: 'Lists archives, newest first, without deleted ones.',
    method: 'GET',
    path: '/v2/project/{apiKey}/archive',
    query: listQuery,
    repeatable: true,
    success: { status: 200, response: listOf(archive) },
    errors: { ...commonErrors, 400: 'Invalid offset or count.' },
    example: {
      request: { sessionId: example.sessionId, count: 50 },
      response: { count: 1, items: [example] },
    },
  },
  getArchive: {
    id: 'E12',
    summary: 'Returns one archive, also a deleted one. An unknown id is answered 400.',
    limits: [
      `The url of an available archive is valid for ${quantity(limits.archiveUrlValidity)}.`,
      `The platform keeps a file that was not uploaded for ${quantity(limits.archiveAvailability)}.`,
    ],
    method: 'GET',
    path: '/v2/project/{apiKey}/archive/{archiveId}',
    repeatable: true,
    success: { status: 200, response: archive },
    errors: { ...commonErrors, 400: 'Unknown or invalid archive id.' },
    example: { request: { archiveId: example.id }, response: example },
  },
  deleteArchive: {
    id: 'E13',
    summary: 'Deletes an available or uploaded archive, and its file if the platform stores it.',
    method: 'DELETE',
    path: '/v2/project/{apiKey}/archive/{archiveId}',
    repeatable: true, // a repetition is answered 204 as well
    success: { status: 204 },
    errors: {
      403: 'Invalid API key or token, or no such archive.',
      409: 'The archive is neither available, uploaded nor deleted.',
      500: causes.platform,
    },
    example: { request: { archiveId: example.id } },
  },
  setArchiveLayout: {
    id: 'E16',
    summary: 'Changes the layout of a composed archive while it is recorded.',
    method: 'PUT',
    path: '/v2/project/{apiKey}/archive/{archiveId}/layout',
    body: nextLayout,
    repeatable: true,
    success: { status: 200 },
    errors: {
      ...commonErrors,
      400: 'Invalid archive id, JSON or layout, or the archive is not composed.',
      404: 'Archive not found.',
    },
    example: { request: { archiveId: example.id, type: 'bestFit', screenshareType: 'pip' } },
  },
  changeArchiveStreams: {
    id: 'E17',
    summary:
      'Adds a stream to an archive of stream mode manual, changes which of its tracks are recorded, or removes it.',
    method: 'PATCH',
    path: '/v2/project/{apiKey}/archive/{archiveId}/streams',
    body: streamChange,
    repeatable: true, // a repetition sets the same streams
    success: { status: 204 },
    errors: {
      ...commonErrors,
      400: 'Invalid archive id or JSON, neither or both of addStream and removeStream, or neither audio nor video.',
      404: 'Archive or stream not found.',
      405: 'The archive selects its streams automatically: its stream mode is auto.',
    },
    example: {
      request: {
        archiveId: example.id,
        addStream: '8b732909-0a06-46a2-8ea8-074e64d43422',
        hasAudio: true,
        hasVideo: false,
      },
    },
  },
} as const satisfies Record<string, Operation>
