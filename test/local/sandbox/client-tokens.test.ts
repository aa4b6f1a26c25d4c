import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createClientToken } from '../../../lib/platform/client/client-tokens.ts'
import { sessionIds } from '../../../lib/platform/contract/sessions.ts'
import {
  identityOf,
  mayModerate,
  mayPublish,
  maySignal,
  maySubscribe,
  readClientToken,
} from '../../../local/sandbox/client-tokens.ts'

const now = Date.UTC(2026, 10, 20, 9)
const sessionId = sessionIds.make('100001', now, 'random')
const project = {
  id: '100001',
  secret: 'of the project',
  name: '',
  status: 'ACTIVE',
  createdAt: now,
  updatedAt: now,
} as const
const valid = {
  iss: project.id,
  ist: 'project',
  iat: now / 1000,
  exp: now / 1000 + 60,
  session_id: sessionId,
  role: 'publisher',
  nonce: 0.5,
  scope: 'session.connect',
  initial_layout_class_list: '',
}

const sign = (claims: Record<string, unknown>, secret: string = project.secret, alg = 'HS256') =>
  new SignJWT({ ...valid, ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))
const read = (token: string) => readClientToken(token, { project, sessionId, now })

describe('readClientToken', () => {
  it('reads what the client makes', async () => {
    const clock = { now: () => now } as Parameters<typeof createClientToken>[0]['clock'] & object
    const described = { sessionId, role: 'moderator', data: 'Ada', layoutClasses: ['focus', 'full'], clock } as const
    const token = await createClientToken({ apiKey: project.id, apiSecret: project.secret, ...described })
    const { claims } = await read(token)
    expect(claims).toMatchObject({ role: 'moderator', session_id: sessionId })
    expect(claims && identityOf(claims)).toEqual({ data: 'Ada', layoutClasses: ['focus', 'full'] })
  })

  it.each([
    ['another secret', sign({}, 'of somebody else'), 'is not signed with the project’s secret'],
    ['another algorithm', sign({}, 'x'.repeat(64), 'HS512'), 'is not a valid JSON Web Token of HS256'],
    ['no token', Promise.resolve('T1==cGFydG5lcl9pZD0x'), 'is not a valid JSON Web Token of HS256'],
    ['an old one', sign({ exp: now / 1000 - 60 }), 'has expired'],
    ['a future one', sign({ iat: now / 1000 + 60 }), 'lies in the future'],
    ['another project', sign({ iss: '100002' }), 'belongs to another project'],
    ['another session', sign({ session_id: 'another' }), 'belongs to another session'],
    ['no such role', sign({ role: 'owner' }), 'has no valid role'],
    ['another scope', sign({ scope: 'session.list' }), 'has no valid scope'],
    ['a call’s token', sign({ session_id: undefined }), 'has no valid session_id'],
  ])('refuses %s and says why', async (_, token, why) => {
    expect(await read(await token)).toEqual({ problem: `The client token ${why}.` })
  })

  it('tolerates clocks that differ by a few seconds', async () => {
    expect((await read(await sign({ iat: now / 1000 + 4, exp: now / 1000 + 60 }))).claims).toBeDefined()
    expect((await read(await sign({ iat: now / 1000 - 60, exp: now / 1000 - 4 }))).claims).toBeDefined()
  })
})

describe('roles', () => {
  it.each([
    ['subscriber', { publish: false, subscribe: true, signal: false, moderate: false }],
    ['publisher', { publish: true, subscribe: true, signal: true, moderate: false }],
    ['moderator', { publish: true, subscribe: true, signal: true, moderate: true }],
    ['publisheronly', { publish: true, subscribe: false, signal: false, moderate: false }],
  ] as const)('let a %s do %j', (role, expected) => {
    const [publish, subscribe, signal, moderate] = [mayPublish, maySubscribe, maySignal, mayModerate].map((may) =>
      may({ role }),
    )
    expect({ publish, subscribe, signal, moderate }).toEqual(expected)
  })
})
