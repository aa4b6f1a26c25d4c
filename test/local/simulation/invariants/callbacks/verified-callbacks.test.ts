import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PublishedKey } from '../../../../../local/simulation/environment/keys/published-keys.ts'
import { verifiedCallbacks } from '../../../../../local/simulation/invariants/callbacks/verified-callbacks.ts'
import type { Evidence } from '../../../../../local/simulation/invariants/evidence.ts'
import { showWith } from '../made-up-evidence.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const NOW = 1_900_000_000
const body = JSON.stringify({ id: 'a-show/show.ended///', event: 'show.ended', showId: 'a-show' })
const right = {
  ...{ iss: 'showrunner', aud: 'https://app.example.com/hooks', iat: NOW, exp: NOW + 300 },
  ...{ jti: 'a-show/show.ended///', payload_hash: createHash('sha256').update(body).digest('hex') },
}
const secrets = [{ name: 'CALLBACK_SECRET secret', value: SECRET }]

let privateKey: KeyObject
let key: PublishedKey
beforeAll(() => {
  const pair = generateKeyPairSync('ed25519')
  privateKey = pair.privateKey
  key = { kid: 'k', ...(pair.publicKey.export({ format: 'jwk' }) as Omit<PublishedKey, 'kid'>) }
})

interface Changes {
  readonly claims?: object
  readonly second?: object
  readonly headers?: object
  readonly secret?: string
  readonly kid?: string
  readonly at?: number
  readonly request?: object
  readonly objects?: Evidence['objects']
}

async function check({
  claims,
  second = claims,
  headers,
  secret = SECRET,
  kid = 'k',
  at = NOW,
  request,
  objects,
}: Changes) {
  const tokenOf = (changes: object | undefined, header: { alg: string; kid?: string }) =>
    new SignJWT({ ...right, ...changes }).setProtectedHeader(header)
  const callback = {
    at: at * 1000,
    url: 'https://app.example.com/hooks?tenant=7',
    headers: {
      'showrunner-signature': await tokenOf(claims, { alg: 'EdDSA', kid }).sign(privateKey),
      authorization: `Bearer ${await tokenOf(second, { alg: 'HS256' }).sign(Buffer.from(secret))}`,
      'idempotency-key': 'a-show/show.ended///',
      'x-showrunner-event': 'a-show/show.ended///',
      ...headers,
    },
    body,
  }
  return verifiedCallbacks({
    shows: [showWith(request ? { request } : {})],
    callbacks: [callback],
    callbackKeys: [key],
    secrets,
    ...(objects && { objects }),
  })
}

describe('verifiedCallbacks', () => {
  it('accepts a callback that is signed as documented', async () => {
    expect(await check({})).toEqual([])
    expect(await check({ at: NOW + 299 })).toEqual([])
  })

  it('reads the secret of a show that never started from its request', async () => {
    const own = { show: { callback: { secret: { secret: 'apps#callback' } } } }
    const objects = new Map([['shows/a-show/request.json', { text: JSON.stringify(own) } as never]])
    expect(await check({ objects })).toHaveLength(1)
  })

  it.each<[string, Changes]>([
    [
      'its token is signed for another body',
      { claims: { payload_hash: createHash('sha256').update('{}').digest('hex') } },
    ],
    [
      'its audience is https://app.example.com/hooks?tenant=7',
      { claims: { aud: 'https://app.example.com/hooks?tenant=7' } },
    ],
    ['its issuer is another', { claims: { iss: 'another' } }],
    ['its token has the id of another event', { claims: { jti: 'another' } }],
    ['its token is valid for 3600 s', { claims: { exp: NOW + 3_600 } }],
    ['its token is not valid at its time', { at: NOW + 306 }],
    ['its tokens differ', { second: { iat: NOW - 1 } }],
    ['no published key verifies its signature', { kid: 'unpublished' }],
    ['its secret does not verify its second token', { secret: `${SECRET}-of-another-app` }],
    ['its secret does not verify', { request: { callback: { secret: { secret: 'apps#callback' } } } }],
    ['its Idempotency-Key is not the id', { headers: { 'idempotency-key': 'another' } }],
    ['its X-Showrunner-Event is not the id', { headers: { 'x-showrunner-event': 'another' } }],
    ['it has no token in Showrunner-Signature', { headers: { 'showrunner-signature': '' } }],
    ['it has no Bearer token in Authorization', { headers: { authorization: 'Basic x' } }],
  ])('finds that %s', async (problem, changes) => {
    const found = await check(changes)
    expect(found.join('\n')).toContain(`an app refuses the callback show.ended of the show a-show: ${problem}`)
    expect(found).toHaveLength(1)
  })
})
