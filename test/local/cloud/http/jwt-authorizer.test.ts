import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createHttpApi } from '../../../../local/cloud/http/http-api.ts'
import { createIssuer } from '../../../../local/cloud/http/issuer.ts'
import { authorizer, ISSUER, issuer, NOW, openApi, stranger, token } from './open-api.ts'

const seconds = (time: number) => Math.floor(time / 1000)
const published = async () => {
  const { keys } = (await (await issuer.fetch(new Request(`${ISSUER}/.well-known/jwks.json`))).json()) as {
    keys: [object]
  }
  return keys[0]
}

describe('createJwtAuthorizer', () => {
  it('lets in who has a token of the issuer, and hands its claims over as text', async () => {
    const { events, enter } = openApi()
    expect((await enter(`Bearer ${await token({ roles: ['a', 'b'], plan: { seats: 2 }, admin: true })}`)).status).toBe(
      200,
    )
    expect((await enter(await token())).status).toBe(200) // the word before it may be left out
    expect(events[0]?.requestContext.authorizer).toEqual({
      jwt: {
        claims: {
          sub: 'ann',
          roles: '[a b]',
          plan: 'map[seats:2]',
          admin: 'true',
          iss: ISSUER,
          aud: 'showrunner',
          iat: String(seconds(NOW)),
          exp: String(seconds(NOW) + 60),
        },
        scopes: null,
      },
    })
  })

  it.each<[string, JWTPayload, string[] | undefined]>([
    ['one of them', { scope: 'openid shows.read' }, ['shows.read']],
    ['all of them', { scope: 'shows.write shows.read' }, ['shows.read', 'shows.write']],
    ['one in a list', { scp: ['shows.write'] }, ['shows.write']],
    ['one in a text of the other name', { scp: 'shows.write' }, ['shows.write']],
    ['others', { scope: 'openid shows.rea' }, undefined],
    ['none', {}, undefined],
  ])('asks for one of a route’s scopes: of a token with %s', async (_what, claims, granted) => {
    const { events, enter } = openApi()
    const answer = await enter(await token(claims), '/scoped')
    expect(events.map(({ requestContext }) => requestContext.authorizer.jwt.scopes)).toEqual(granted ? [granted] : [])
    if (granted) return expect(answer.status).toBe(200)
    expect([answer.status, await answer.json()]).toEqual([403, { message: 'Forbidden' }])
    expect(answer.headers.get('www-authenticate')).toContain('scope="shows.read shows.write"')
    expect((await enter('Bearer x', '/scoped')).status).toBe(401)
  })

  /** Returns the status for a token of an issuer that signs any claims. */
  async function lenientIssuer(alg: 'RS256' | 'ES256') {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const documents = [{ jwks_uri: `${ISSUER}/jwks.json` }, { keys: [await exportJWK(publicKey)] }]
    const api = createHttpApi({
      routes: [{ key: 'GET /private', authorizer, invoke: async () => ({}) }],
      clock: createSteppedClock(NOW),
      newId: () => 'id',
      fetch: async (input) => Response.json(documents[String(input).endsWith('jwks.json') ? 1 : 0]),
    })
    return async (claims: Record<string, unknown>) => {
      const whole = { iss: ISSUER, exp: seconds(NOW) + 60, ...claims }
      const signed = await new SignJWT(whole).setProtectedHeader({ alg }).sign(privateKey)
      return (await api(new Request('http://a/private', { headers: { authorization: signed } }))).status
    }
  }

  it('takes the client for the audience of a token that names none', async () => {
    const statusOf = await lenientIssuer('RS256')
    expect(await statusOf({ client_id: 'showrunner' })).toBe(200)
    expect(await statusOf({ client_id: 'other' })).toBe(401)
    expect(await statusOf({ client_id: 'showrunner', aud: 'other' })).toBe(401)
    expect(await statusOf({ aud: ['other', 'showrunner'] })).toBe(200)
  })

  it('refuses tokens that are not valid yet, or without an expiry', async () => {
    const statusOf = await lenientIssuer('RS256')
    expect(await statusOf({ aud: 'showrunner', exp: undefined })).toBe(401)
    expect(await statusOf({ aud: 'showrunner', iat: seconds(NOW) + 60 })).toBe(401)
    expect(await statusOf({ aud: 'showrunner', nbf: seconds(NOW) + 60 })).toBe(401)
  })

  it('takes keys of RSA only, as API Gateway does', async () => {
    expect(await (await lenientIssuer('ES256'))({ aud: 'showrunner' })).toBe(401)
  })

  it.each<[string, () => Promise<string> | string]>([
    ['nothing', () => ''],
    ['no token', () => 'Bearer'],
    ['a text that is not a token', () => 'Bearer abc'],
    [
      'a token of another audience',
      async () => issuer.sign({ sub: 'a' }, { audience: 'other', seconds: 60, now: NOW }),
    ],
    [
      'an expired token',
      async () => issuer.sign({ sub: 'a' }, { audience: 'showrunner', seconds: 60, now: NOW - 61_000 }),
    ],
    ['a token that another has signed', () => token({}, stranger)],
    [
      'a token of another issuer',
      async () =>
        (await createIssuer(() => 'http://other.invalid')).sign(
          { sub: 'a' },
          { audience: 'showrunner', seconds: 60, now: NOW },
        ),
    ],
    [
      'an unsigned token',
      () => new UnsecuredJWT({ sub: 'a', iss: ISSUER, aud: 'showrunner', exp: seconds(NOW) + 60 }).encode(),
    ],
    [
      'a token signed with the public key as a secret',
      async () => {
        const key = (await importJWK({ ...(await published()), ext: true }, 'RS256')) as Parameters<
          typeof exportSPKI
        >[0]
        const secret = new TextEncoder().encode(await exportSPKI(key))
        const claims = { sub: 'a', iss: ISSUER, aud: 'showrunner', exp: seconds(NOW) + 60 }
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'laptop' }).sign(secret)
      },
    ],
    [
      'a token with one letter changed',
      async () => {
        const [head, body = '', signature] = (await token()).split('.')
        const other = Buffer.from(Buffer.from(body, 'base64url').toString().replace('ann', 'bob')).toString('base64url')
        return [head, other, signature].join('.')
      },
    ],
  ])('refuses %s', async (_what, make) => {
    const { events, enter, send } = openApi()
    const header = await make()
    const answer = header ? await enter(header) : await send('/private')
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthorized' }])
    expect(events).toEqual([])
  })

  it('asks the issuer again after it could not be reached', async () => {
    let isUp = false
    const api = createHttpApi({
      routes: [{ key: 'GET /private', authorizer, invoke: async () => ({}) }],
      clock: createSteppedClock(NOW),
      newId: () => 'id',
      fetch: async (input, init) => (isUp ? issuer.fetch(new Request(input, init)) : Promise.reject(new Error('down'))),
    })
    const request = async () => new Request('http://a/private', { headers: { authorization: await token() } })
    expect((await api(await request())).status).toBe(401)
    isUp = true
    expect((await api(await request())).status).toBe(200)
  })
})

describe('createIssuer', () => {
  it('publishes where its keys are, and never the private one', async () => {
    const ask = (path: string, method = 'GET') => issuer.fetch(new Request(`${ISSUER}${path}`, { method }))
    expect(await (await ask('/.well-known/openid-configuration')).json()).toEqual({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    })
    expect(Object.keys(await published()).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect((await ask('/constructor')).status).toBe(404)
    expect((await ask('/.well-known/jwks.json', 'POST')).status).toBe(404)
  })
})
