import { z } from 'zod'
import { commonErrors } from './errors.ts'
import type { Operation } from './operation.ts'
import { webUrlRule } from './schema-rules.ts'

const fallback = z
  .enum(['opentok', 'none'])
  .default('none')
  .describe('opentok keeps a file in the platform’s own cloud if its upload fails; none loses it.')

const s3Target = z.object({
  type: z.literal('s3'),
  config: z.object({
    accessKey: z.string().min(1),
    secretKey: z.string().min(1),
    bucket: z.string().min(1),
    endpoint: z
      .url({ protocol: /^https?$/ })
      .meta(webUrlRule)
      .optional()
      .describe('Base URL of an S3-compatible provider; without it, AWS.'),
    sse: z.enum(['s3', 'none']).optional(),
  }),
  fallback,
})

const azureTarget = z.object({
  type: z.literal('azure'),
  config: z.object({
    accountName: z.string().min(1),
    accountKey: z.string().min(1),
    container: z.string().min(1),
    domain: z.string().optional(),
  }),
  fallback,
})

export const uploadTarget = z.discriminatedUnion('type', [s3Target, azureTarget]).meta({
  id: 'UploadTarget',
  description: 'The destination of finished archives: <api key>/<archive id>/archive.mp4. A project has one.',
})

export type UploadTarget = z.output<typeof uploadTarget>

const example = {
  type: 's3',
  config: { accessKey: 'AKIAEXAMPLE', secretKey: '<secret>', bucket: 'recordings' },
  fallback: 'opentok',
} as const

export const uploadTargetOperations = {
  setUploadTarget: {
    id: 'E14',
    summary: 'Sets the upload target of the project’s finished archives and replaces the previous one.',
    method: 'PUT',
    path: '/v2/project/{apiKey}/archive/storage',
    body: uploadTarget,
    repeatable: true,
    success: { status: 200, response: z.looseObject({}).describe('The target as it was submitted.') },
    errors: {
      ...commonErrors,
      400: 'Invalid JSON, type missing or neither s3 nor azure, or config missing or incomplete.',
    },
    example: { request: example, response: example },
  },
  deleteUploadTarget: {
    id: 'E15',
    summary: 'Deletes the upload target. Later files stay in the platform’s own cloud.',
    method: 'DELETE',
    path: '/v2/project/{apiKey}/archive/storage',
    repeatable: true, // a repetition is answered 404
    success: { status: 204 },
    errors: { ...commonErrors, 404: 'No upload target is set.' },
    example: { request: {} },
  },
} as const satisfies Record<string, Operation>
