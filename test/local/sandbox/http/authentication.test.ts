import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { openSandbox } from '../open-sandbox.ts'

type World = ReturnType<typeof openSandbox>

const list = (world: World, headers: Record<string, string>, apiKey = world.apiKey) =>
  world.sandbox.fetch(new Request(`http://localhost/v2/project/${apiKey}/archive`, { headers }))

async function listWith(world: World, claims: Record<string, unknown>, secret = world.apiSecret) {
  const response = await list(world, { [AUTH_HEADER]: await world.sign(claims, secret) })
  return { status: response.status, message: await messageOf(response) }
}

const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message

describe('createAuthentication', () => {
  const now = (world: World) => Math.floor(world.clock.now() / 1000)

  it.each<[string, (now: number) => Record<string, unknown>]>([
    ['lives exactly five minutes', (now) => ({ iat: now, exp: now + 300 })],
    ['has no jti or has one', (now) => ({ iat: now, exp: now + 60, jti: 'once' })],
    ['is from a clock a few seconds ahead', (now) => ({ iat: now + 4, exp: now + 184 })],
    ['ran out a few seconds ago', (now) => ({ iat: now - 184, exp: now - 4 })],
  ])('accepts a token that %s', async (_, claims) => {
    const world = openSandbox()
    expect((await listWith(world, claims(now(world)))).status).toBe(200)
  })

  it.each<[string, (now: number) => Record<string, unknown>, string]>([
    ['lives longer than five minutes', (now) => ({ iat: now, exp: now + 301 }), 'at most 300 seconds'],
    ['has expired', (now) => ({ iat: now - 200, exp: now - 20 }), 'The token has expired.'],
    ['is from the future', (now) => ({ iat: now + 60, exp: now + 120 }), 'iat is in the future'],
    ['ends before it begins', (now) => ({ iat: now + 3, exp: now + 2 }), 'The token is invalid: exp must be after iat'],
    ['has no exp', () => ({ exp: undefined }), 'exp is required'],
    ['has no iat', () => ({ iat: undefined }), 'iat is required'],
    ['is of the account', () => ({ ist: 'account' }), 'ist must be project'],
    ['has no ist', () => ({ ist: undefined }), 'ist'],
    ['names another key', () => ({ iss: '123' }), 'not the API key of a project'],
    ['names no key', () => ({ iss: undefined }), 'not the API key of a project'],
  ])('refuses a token that %s', async (_, claims, reason) => {
    const world = openSandbox()
    const { status, message } = await listWith(world, claims(now(world)))
    expect(status).toBe(403)
    expect(message).toContain(reason)
  })

  it.each([
    ['project', 200],
    ['account', 403],
  ])('reads ist %s in the header where the claim is absent, as the Ruby SDK sends it', async (ist, status) => {
    const world = openSandbox()
    const claims = { iss: world.apiKey, iat: now(world), exp: now(world) + 300 }
    const secret = new TextEncoder().encode(world.apiSecret)
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ist }).sign(secret)
    expect((await list(world, { [AUTH_HEADER]: token })).status).toBe(status)
  })

  it('names every header that it accepts where there is no token', async () => {
    const response = await list(openSandbox({ authHeaders: ['X-OPENTOK-AUTH', AUTH_HEADER] }), {})
    expect(await messageOf(response)).toBe('The token is missing: send it in X-OPENTOK-AUTH or X-SERVICE-AUTH.')
  })

  it('refuses a T1 token, which only clients use', async () => {
    const world = openSandbox()
    const response = await list(world, { [AUTH_HEADER]: `T1==${Buffer.from('partner_id=1&sig=0').toString('base64')}` })
    expect({ status: response.status, message: await messageOf(response) }).toEqual({
      status: 403,
      message: 'The token is not a JSON Web Token.',
    })
  })

  it('refuses a token that another secret signed', async () => {
    const { status, message } = await listWith(openSandbox(), {}, 'another secret that is long enough')
    expect({ status, message }).toEqual({
      status: 403,
      message: 'The token’s signature does not match the project’s secret.',
    })
  })

  it('refuses other algorithms, none among them', async () => {
    const world = openSandbox()
    const { apiKey, apiSecret } = world
    const claims = { iss: apiKey, ist: 'project', iat: now(world), exp: now(world) + 60 }
    const key = new TextEncoder().encode(apiSecret.padEnd(64, 'x'))
    const unsigned = new UnsecuredJWT(claims).encode()
    const longer = await new SignJWT(claims).setProtectedHeader({ alg: 'HS512' }).sign(key)
    for (const token of [unsigned, longer]) {
      const response = await list(world, { [AUTH_HEADER]: token })
      expect(response.status).toBe(403)
      expect(await messageOf(response)).toContain('HS256')
    }
  })

  it('refuses a key in the path that is not the token’s', async () => {
    const world = openSandbox()
    const response = await list(world, { [AUTH_HEADER]: await world.sign() }, '100001')
    expect(response.status).toBe(403)
    expect(await messageOf(response)).toContain('API key in the path')
  })

  it.each([
    ['nothing at all', {}, 'The token is missing'],
    ['no token', { [AUTH_HEADER]: 'open sesame' }, 'not a JSON Web Token'],
    ['key and secret', { [AUTH_HEADER]: '123456:secret' }, 'expired in July 2017'],
    ['the legacy header', { 'X-TB-PARTNER-AUTH': '123456:secret' }, 'expired in July 2017'],
  ])('refuses a header with %s', async (_, headers, reason) => {
    const response = await list(openSandbox(), headers)
    expect(response.status).toBe(403)
    const message = await messageOf(response)
    expect(message).toContain(reason)
    expect(message).not.toContain('123456')
  })

  it.each(['a.b', 'a.b.c.d', 'a.b.c', '..', 'bnVsbA.bnVsbA.', 'W10.W10.'])('reads no token in %s', async (token) => {
    const response = await list(openSandbox(), { [AUTH_HEADER]: token })
    expect(response.status).toBe(403)
    expect(await messageOf(response)).toBe('The token is not a JSON Web Token.')
  })

  it('ignores the legacy header beside a token', async () => {
    const world = openSandbox()
    const headers = { [AUTH_HEADER]: await world.sign(), 'X-TB-PARTNER-AUTH': '123456:secret' }
    expect((await list(world, headers)).status).toBe(200)
  })

  it('accepts the token under the configured header name, and no other', async () => {
    const world = openSandbox({ authHeaders: ['X-OPENTOK-AUTH'] })
    const token = await world.sign()
    expect((await list(world, { 'x-opentok-auth': token, [AUTH_HEADER]: '' })).status).toBe(200)
    expect((await list(world, { [AUTH_HEADER]: token })).status).toBe(403)
  })

  it('accepts the token under the header names of the platform and of its SDKs by default', async () => {
    const world = openSandbox()
    const token = await world.sign()
    expect((await list(world, { 'x-opentok-auth': token })).status).toBe(200)
    expect((await list(world, { [AUTH_HEADER]: token })).status).toBe(200)
    expect((await list(world, { authorization: token })).status).toBe(403)
  })
})
