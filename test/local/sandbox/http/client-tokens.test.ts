import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createClientToken } from '../../../../lib/platform/client/client-tokens.ts'
import { sessionIds } from '../../../../lib/platform/contract/sessions.ts'
import {
  mayModerate,
  mayPublish,
  maySignal,
  maySubscribe,
  participantIdentityOf,
  readClientToken,
} from '../../../../local/sandbox/http/client-tokens.ts'

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
/** Signs these claims and no others. */
const bare = (claims: Record<string, unknown>, header: Record<string, unknown> = {}) =>
  new SignJWT({ iss: project.id, session_id: sessionId, ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(new TextEncoder().encode(project.secret))

/** Makes the token of older SDKs. */
function t1(fields: Record<string, unknown> = {}, secret: string = project.secret, key: string = project.id) {
  const given = { session_id: sessionId, create_time: now / 1000, nonce: 1, role: 'publisher', ...fields }
  const data = new URLSearchParams(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}`])),
  ).toString()
  const signature = createHmac('sha1', secret).update(data).digest('hex')
  return `T1==${Buffer.from(`partner_id=${key}&sig=${signature}:${data}`).toString('base64')}`
}

const read = async (token: string) => readClientToken(token, { project, sessionId, now })

describe('readClientToken', () => {
  it('reads the tokens of the client', async () => {
    const clock = { now: () => now } as Parameters<typeof createClientToken>[0]['clock'] & object
    const described = { sessionId, role: 'moderator', data: 'Ada', layoutClasses: ['focus', 'full'], clock } as const
    const token = await createClientToken({ apiKey: project.id, apiSecret: project.secret, ...described })
    const { claims } = await read(token)
    expect(claims).toMatchObject({ role: 'moderator', session_id: sessionId })
    expect(claims && participantIdentityOf(claims)).toEqual({ data: 'Ada', layoutClasses: ['focus', 'full'] })
  })

  it('needs the key, the session and the signature, and has defaults for the rest', async () => {
    const { claims } = await read(await bare({ iat: now / 1000 }))
    expect(claims).toMatchObject({ ist: 'project', role: 'publisher', exp: now / 1000 + 86_400 })
    expect(claims && participantIdentityOf(claims)).toEqual({ data: undefined, layoutClasses: [] })
    expect((await read(await bare({}))).claims).toBeDefined()
  })

  it('reads ist in the header, a key that is a number, and nulls as absent', async () => {
    const nulls = { data: null, expireTime: null, exp: null, role: null, connection_data: null }
    const token = await bare({ iss: Number(project.id), iat: now / 1000, ...nulls }, { ist: 'project' })
    expect((await read(token)).claims).toMatchObject({ iss: project.id, role: 'publisher', exp: now / 1000 + 86_400 })
    expect((await read(await bare({}, { ist: 'account' }))).problem).toBe('The client token has no valid ist.')
  })

  it('reads T1 tokens in base64 of either alphabet', async () => {
    const token = t1({ connection_data: 'name=Ada?~ö', initial_layout_class_list: 'focus full', role: 'moderator' })
    for (const text of [token, token.replaceAll('+', '-').replaceAll('/', '_')]) {
      const { claims } = await read(text)
      expect(claims && participantIdentityOf(claims)).toEqual({ data: 'name=Ada?~ö', layoutClasses: ['focus', 'full'] })
      expect(claims).toMatchObject({ role: 'moderator', exp: now / 1000 + 86_400 })
    }
    expect((await read(t1({ connection_data: '', initial_layout_class_list: '' }))).claims).toBeDefined()
  })

  it.each([
    ['another secret', sign({}, 'of another signer'), 'is not signed with the project’s secret'],
    ['another algorithm', sign({}, 'x'.repeat(64), 'HS512'), 'is not signed by HS256'],
    ['no token', 'T1==cGFydG5lcl9pZD0x', 'is neither a JSON Web Token nor a T1 token'],
    ['less than a token', 'a.b', 'is neither a JSON Web Token nor a T1 token'],
    ['a T1 token of another secret', t1({}, 'of another signer'), 'is not signed with the project’s secret'],
    ['an old T1 token', t1({ expire_time: now / 1000 - 60 }), 'has expired'],
    ['a T1 token of another project', t1({}, project.secret, '100002'), 'belongs to another project'],
    ['a T1 token of a role that is none', t1({ role: 'owner' }), 'has no valid role'],
    ['one that ended a day after its iat', bare({ iat: now / 1000 - 86_460 }), 'has expired'],
    ['an old one', sign({ exp: now / 1000 - 60 }), 'has expired'],
    ['a future one', sign({ iat: now / 1000 + 60 }), 'is not valid yet'],
    ['another project', sign({ iss: '100002' }), 'belongs to another project'],
    ['another session', sign({ session_id: 'another' }), 'belongs to another session'],
    ['no such role', sign({ role: 'owner' }), 'has no valid role'],
    ['another scope', sign({ scope: 'session.list' }), 'has no valid scope'],
    ['a call’s token', sign({ session_id: undefined }), 'has no valid session_id'],
  ])('refuses %s with the reason', async (_, token, why) => {
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
