import { createPublicKey } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEY_OVERLAP } from '../../../../lib/operations/notifications/callback-keys.ts'
import { call } from '../../../lambdas/api/call.ts'
import { openWorld, type World } from '../../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const published = async () => (await call(world, 'GET /.well-known/jwks.json')).body.keys
/** As `rotate callback-key` does it. */
const rotate = (secret: string) =>
  world.secrets.fetch(
    new Request('http://127.0.0.1', {
      method: 'POST',
      headers: { 'x-amz-target': 'secretsmanager.PutSecretValue' },
      body: JSON.stringify({
        SecretId: world.services.variable('CALLBACK_KEY'),
        SecretString: JSON.stringify({ secret }),
      }),
    }),
  )
const MINUTE = 60_000

describe('createCallbackKeys', () => {
  it('publishes the public half alone, the same from every function, for some minutes', async () => {
    const { status, headers, body } = await call(world, 'GET /.well-known/jwks.json')
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300'])
    const { kid, privateKey } = await world.services.callbackKeys.signing()
    const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
    expect(body).toEqual({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }] })
  })

  it('publishes a new key an hour before it signs with it, and the former one until the next', async () => {
    const { callbackKeys } = world.services
    const first = (await callbackKeys.signing()).kid
    await rotate('another one from which a key pair is derived')
    await world.clock.advance(5 * MINUTE)
    const [next, former] = await published()
    expect([former.kid, (await callbackKeys.signing()).kid]).toEqual([first, first])
    await world.clock.advance(KEY_OVERLAP - 6 * MINUTE)
    expect((await callbackKeys.signing()).kid).toBe(first)
    await world.clock.advance(MINUTE)
    expect((await callbackKeys.signing()).kid).toBe(next.kid)
    expect((await published()).map(({ kid }: { kid: string }) => kid)).toEqual([next.kid, first])
    await rotate('a third one from which a key pair is derived')
    await world.clock.advance(5 * MINUTE)
    expect((await published())[1].kid).toBe(next.kid)
  })

  it('refuses a short secret, and reads a corrected one at once', async () => {
    await rotate('short')
    await expect(world.services.callbackKeys.signing()).rejects.toMatchObject({ name: 'TaskConfigError' })
    await rotate('a long one from which a key pair is derived')
    await rotate('another long one from which a key pair is derived')
    expect(await published()).toHaveLength(2)
  })
})
