import { describe, expect, it } from 'vitest'
import { createForwarder, type ForwarderOptions } from '../../../../bin/operations/listen/forwarder.ts'
import { createSecrets } from '../../../../lib/aws/secrets.ts'
import { createCallbackKeys } from '../../../../lib/operations/notifications/callback-keys.ts'
import { verifyShowrunnerCallback } from '../../../../lib/operations/notifications/callback-verifier.ts'
import { ended, openListenCloud } from './listen-cloud.ts'

const url = 'http://localhost:3000/showrunner?key=1'

/** Forwards to an app that answers with a status, or not at all. */
async function open(status: number | undefined, options: Partial<ForwarderOptions> = {}) {
  const { manager, outputs, clock } = openListenCloud()
  const received: { readonly headers: Headers; readonly body: string }[] = []
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    received.push({ headers: new Headers(init.headers), body: String(init.body) })
    if (status === undefined) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    return new Response(null, { status })
  }
  const forward = await createForwarder({
    url,
    outputs,
    manager,
    clock,
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  })
  const secretId = outputs.CallbackKeySecretArn ?? ''
  const keys = await createCallbackKeys({ secrets: createSecrets(manager), secretId, clock }).published()
  return { forward, received, keys, clock }
}

describe('createForwarder', () => {
  it('posts the body that a deployment posts, which the app verifies with the deployment’s public keys', async () => {
    const { forward, received, keys, clock } = await open(204)
    expect(await forward(ended)).toEqual({ status: 204, ms: 0, isRetryable: false })
    const [{ headers, body } = { headers: new Headers(), body: '' }] = received
    const signature = headers.get('showrunner-signature') ?? ''
    expect(body).toBe(JSON.stringify(ended))
    expect(await verifyShowrunnerCallback({ signature, body }, { url, keys, clock })).toEqual(ended)
    expect(headers.get('idempotency-key')).toBe(ended.id)
  })

  it('signs the header Authorization with a given secret', async () => {
    const secret = 's'.repeat(32)
    const { forward, received, clock } = await open(204, { secret })
    await forward(ended)
    const authorization = received[0]?.headers.get('authorization') ?? ''
    const options = { url, secret, clock }
    expect(await verifyShowrunnerCallback({ authorization, body: received[0]?.body ?? '' }, options)).toEqual(ended)
  })

  it.each([
    [500, true, 'did not accept the event demo/show.ended (500).'],
    [403, false, 'The app answered with 403'],
    [410, false, 'The app wants no more of this show.'],
    [undefined, true, '(ECONNREFUSED)'],
  ])('reports the answer %s', async (status, isRetryable, problem) => {
    const { forward } = await open(status)
    const { ms, ...delivery } = await forward(ended)
    expect(delivery).toEqual({ ...(status && { status }), isRetryable, problem: expect.stringContaining(problem) })
  })

  it('refuses to start without the keys', async () => {
    await expect(open(204, { outputs: { CallbackKeySecretArn: 'none' } })).rejects.toThrow('none')
  })
})
