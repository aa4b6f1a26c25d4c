import { createHash, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { type VerifyOptions, verifyEvents } from '../../../../../local/simulation/environment/app/verify-events.ts'
import type { PublishedKey } from '../../../../../local/simulation/environment/keys/published-keys.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const NOW = 1_900_000_000
const url = 'https://app.example.com/hooks?tenant=7'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k' } as PublishedKey

async function received() {
  const event = { id: 'a-show/show.ended///', event: 'show.ended', showId: 'a-show', at: '2030-01-01T00:00:00.000Z' }
  const body = JSON.stringify({ ...event, stage: 'prod', status: 'succeeded', reason: 'Ended as planned.', labels: {} })
  const token = (header: { alg: string; kid?: string }) =>
    new SignJWT({
      ...{ iss: 'showrunner', aud: 'https://app.example.com/hooks', jti: event.id, iat: NOW, exp: NOW + 300 },
      payload_hash: createHash('sha256').update(body).digest('hex'),
    }).setProtectedHeader(header)
  const headers = {
    'showrunner-signature': await token({ alg: 'EdDSA', kid: 'k' }).sign(privateKey),
    authorization: `Bearer ${await token({ alg: 'HS256' }).sign(Buffer.from(SECRET))}`,
  }
  return { at: NOW * 1000, url, headers, body }
}

/** Verifies several callbacks, each with other changes. Returns the variants whose outcome is not the documented one. */
async function wrongVariants(changes: Partial<VerifyOptions> = {}, count = 6) {
  const callbacks = Array(count).fill(await received())
  const verified = await verifyEvents(callbacks, { keys: [key], secretsOf: () => [SECRET], ...changes })
  const wrong = verified.filter(({ outcome, expects }) => outcome !== expects)
  return { all: new Set(verified.map(({ variant }) => variant)), wrong: new Set(wrong.map(({ variant }) => variant)) }
}

describe('verifyEvents', () => {
  it('accepts what is authentic, and refuses every changed variant with its reason', async () => {
    const { all, wrong } = await wrongVariants()
    expect(wrong).toEqual(new Set())
    expect(all.size).toBeGreaterThanOrEqual(20)
  })

  it('finds other variants in worlds with another number of callbacks', async () => {
    const seen = new Set<string>()
    for (const count of [1, 2, 3, 4]) for (const variant of (await wrongVariants({}, count)).all) seen.add(variant)
    expect(seen.size).toBeGreaterThanOrEqual(14)
  })

  it('refuses a callback that another key or secret has signed', async () => {
    const { wrong } = await wrongVariants({ keys: [{ ...key, kid: 'other' }], secretsOf: () => ['y'.repeat(32)] })
    expect([...wrong]).toEqual(expect.arrayContaining(['by the published keys', 'by the old and the new secret']))
  })
})
