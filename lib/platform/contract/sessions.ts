import { z } from 'zod'
import { commonErrors } from './errors.ts'
import type { Operation } from './operation.ts'
import { has, never } from './schema-rules.ts'

export const createdSession = z
  .looseObject({
    session_id: z.string(),
    project_id: z.string(),
    create_dt: z.string(),
    media_server_url: z.string(),
  })
  .meta({ id: 'CreatedSession', description: 'A new session. Ignore media_server_url.' })

const createSessionBody = z
  .object({
    archiveMode: z.enum(['always', 'manual']).default('manual').describe('always records the session automatically.'),
    /** Existing SDKs send the string `null` for none. */
    location: z.string().optional().describe('IP address as a hint to the location.'),
    'p2p.preference': z
      .enum(['enabled', 'disabled'])
      .default('disabled')
      .describe('disabled creates a routed session, enabled a relayed one.'),
  })
  .refine((body) => body.archiveMode === 'manual' || body['p2p.preference'] === 'disabled', {
    path: ['archiveMode'],
    message: 'always requires p2p.preference disabled',
  })
  .meta(never(has({ archiveMode: { const: 'always' }, 'p2p.preference': { const: 'enabled' } })))

export const sessionOperations = {
  createSession: {
    id: 'E1',
    summary: 'Creates a session. A routed one, which is the default, can be recorded and broadcast.',
    method: 'POST',
    path: '/session/create',
    body: createSessionBody,
    encoding: 'form',
    repeatable: true, // an unused session costs nothing
    success: { status: 200, response: z.array(createdSession).length(1), unlessJson: 'application/xml' },
    errors: { ...commonErrors, 400: 'Invalid field, or archiveMode always with a relayed session.' },
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

/** Session ids: `1_` or `2_`, then base64url of `1~<apiKey>~<location>~<created>~<random>~`, without which SDKs refuse tokens. */
export const sessionIds = {
  make: (apiKey: string, createdAt: number, random: string, location = '') =>
    `2_${Buffer.from(`1~${apiKey}~${location}~${createdAt}~${random}~`).toString('base64url')}`,
  /** Returns the API key of a session id; undefined if it is not a session id. */
  apiKeyOf(sessionId: string): string | undefined {
    if (!/^[12]_[\w-]+$/.test(sessionId)) return undefined
    const fields = Buffer.from(sessionId.slice(2), 'base64url').toString().split('~')
    return fields.length >= 5 && fields[0] === '1' ? fields[1] : undefined
  },
} as const
