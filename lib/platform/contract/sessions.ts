import { z } from 'zod'
import { causes } from './errors.ts'
import type { Operation } from './operation.ts'

export const createdSession = z
  .looseObject({
    session_id: z.string(),
    project_id: z.string(),
    create_dt: z.string(),
    media_server_url: z.string(),
  })
  .meta({ id: 'CreatedSession', description: 'A session just created; media_server_url is to be ignored.' })

const createSessionBody = z
  .object({
    archiveMode: z.enum(['always', 'manual']).default('manual'),
    /** An IP address as a hint; existing SDKs send the string `null` for none. */
    location: z.string().optional(),
    'p2p.preference': z.enum(['enabled', 'disabled']).default('disabled'),
  })
  .refine((body) => body.archiveMode === 'manual' || body['p2p.preference'] === 'disabled', {
    path: ['archiveMode'],
    message: 'always requires p2p.preference disabled',
  })

export const sessionOperations = {
  createSession: {
    id: 'E1',
    summary: 'Create a session; p2p.preference disabled makes it a routed one, which can be recorded and broadcast.',
    method: 'POST',
    path: '/session/create',
    credentials: 'project',
    body: createSessionBody,
    encoding: 'form',
    repeatable: true, // a session nobody uses costs nothing and ends nothing
    success: { status: 200, response: z.array(createdSession).length(1) },
    errors: {
      400: 'A field has no such value, or archiveMode always with a relayed session.',
      403: causes.credentials,
      500: causes.platform,
    },
    example: {
      request: { archiveMode: 'manual', 'p2p.preference': 'disabled' },
      response: [
        {
          session_id: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
          project_id: '100001',
          create_dt: 'Fri Nov 20 09:00:00 UTC 2026',
          media_server_url: '',
        },
      ],
    },
  },
} as const satisfies Record<string, Operation>

/**
 * Session ids are `1_` or `2_` and the base64url of `1~<apiKey>~<location>~<created>~<random>~`;
 * server SDKs refuse to make client tokens for any other form.
 */
export const sessionIds = {
  make: (apiKey: string, createdAt: number, random: string, location = '') =>
    `2_${Buffer.from(`1~${apiKey}~${location}~${createdAt}~${random}~`).toString('base64url')}`,
  /** The API key a session id was made for, or undefined when it is none. */
  apiKeyOf(sessionId: string): string | undefined {
    if (!/^[12]_[\w-]+$/.test(sessionId)) return undefined
    const fields = Buffer.from(sessionId.slice(2), 'base64url').toString().split('~')
    return fields.length >= 5 && fields[0] === '1' ? fields[1] : undefined
  },
} as const
