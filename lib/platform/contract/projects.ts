import { z } from 'zod'
import { causes } from './errors.ts'
import { limits, quantity } from './limits.ts'
import type { Operation } from './operation.ts'

/** Creates the schema of an API key in answers: a number in archives and broadcasts, a string elsewhere. */
export const sentKey = () => z.union([z.string(), z.number()]).transform(String)

export const projectStatuses = ['ACTIVE', 'SUSPENDED'] as const
export type ProjectStatus = (typeof projectStatuses)[number]

export const project = z
  .looseObject({
    id: sentKey(),
    /** Only in answers to account credentials. */
    secret: z.string().optional(),
    status: z.enum(projectStatuses),
    name: z.string(),
    environment: z.enum(['standard', 'enterprise']).optional(),
    /** Milliseconds since the epoch. */
    createdAt: z.int().optional(),
  })
  .meta({ id: 'Project', description: 'A project of an account; its id is its API key.' })

export type Project = z.infer<typeof project>

/** A project in answers to its own credentials, such as those of muteStream and muteSession. */
export const projectExample = {
  id: '100001',
  status: 'ACTIVE',
  name: 'Conference',
  environment: 'standard',
  createdAt: 1795166400000,
} as const satisfies Project

const example = { ...projectExample, secret: '<secret>' } as const

export const projectOperations = {
  createProject: {
    id: 'E31',
    summary: 'Creates a project. Without a name, neither a body nor a content type is sent.',
    limits: [`A new project can be used within ${quantity(limits.projectAvailability)}.`],
    method: 'POST',
    path: '/v2/project',
    credentials: 'account',
    body: z.object({ name: z.string().min(1).optional() }),
    repeatable: false,
    success: { status: 200, response: project },
    errors: { 400: 'Invalid JSON or name.', 403: causes.account, 500: causes.platform },
    example: { request: { name: example.name }, response: example },
  },
  setProjectStatus: {
    id: 'E32',
    summary: 'Suspends a project or reactivates it. A suspended project’s key and sessions cannot be used.',
    method: 'PUT',
    path: '/v2/project/{apiKey}',
    credentials: 'account',
    body: z.object({ status: z.enum(projectStatuses) }),
    repeatable: true,
    success: { status: 200, response: project },
    errors: {
      400: 'Invalid JSON, or no such status.',
      403: 'Invalid account key or token, not authorized, or no such project.',
      500: causes.platform,
    },
    example: {
      request: { apiKey: example.id, status: 'SUSPENDED' },
      response: { ...example, status: 'SUSPENDED' },
    },
  },
  deleteProject: {
    id: 'E33',
    summary: 'Deletes a project.',
    method: 'DELETE',
    path: '/v2/project/{apiKey}',
    credentials: 'account',
    repeatable: true, // a repetition is answered 404
    success: { status: 204 },
    errors: { 403: causes.account, 404: causes.noProject, 500: causes.platform },
    example: { request: { apiKey: example.id } },
  },
  getProject: {
    id: 'E34',
    summary: 'Returns one project with its secret.',
    method: 'GET',
    path: '/v2/project/{apiKey}',
    credentials: 'account',
    repeatable: true,
    success: { status: 200, response: project },
    errors: { 403: causes.account, 404: causes.noProject, 500: causes.platform },
    example: { request: { apiKey: example.id }, response: example },
  },
  listProjects: {
    id: 'E34',
    summary: 'Lists all projects of the account, without pages.',
    method: 'GET',
    path: '/v2/project',
    credentials: 'account',
    repeatable: true,
    success: { status: 200, response: z.array(project) },
    errors: { 403: causes.account, 500: causes.platform },
    example: { request: {}, response: [example] },
  },
  refreshSecret: {
    id: 'E35',
    summary: 'Replaces a project’s secret. The old secret and all client tokens that it signed are invalid at once.',
    method: 'POST',
    path: '/v2/project/{apiKey}/refreshSecret',
    credentials: 'account',
    repeatable: false, // each call creates another secret
    success: {
      status: 200,
      response: project.extend({ secret: z.string() }).describe('The project with its new secret.'),
    },
    errors: { 403: causes.account, 404: causes.noProject, 500: causes.platform },
    example: { request: { apiKey: example.id }, response: example },
  },
} as const satisfies Record<string, Operation>
