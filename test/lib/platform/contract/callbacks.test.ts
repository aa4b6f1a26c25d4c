import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { callbackClaims, callbacks } from '../../../../lib/platform/contract/callbacks.ts'

const kinds = Object.entries<{ body: z.ZodType; example: object }>(callbacks)

describe('callbacks', () => {
  it.each(kinds)('%s has an example that its schema parses; only keys become strings', (_kind, { body, example }) => {
    const keys = Object.entries(example).filter(([name]) => name === 'projectId' || name === 'partnerId')
    const asStrings = Object.fromEntries(keys.map(([name, key]) => [name, String(key)]))
    expect(body.parse(example)).toMatchObject({ ...example, ...asStrings })
  })

  it.each(kinds)('%s keeps unknown fields', (_kind, { body, example }) => {
    expect(body.parse({ ...example, later: 1 })).toHaveProperty('later', 1)
  })

  it.each(kinds)('%s is the only one with its event', (kind, { example }) => {
    const readers = kinds.filter(([, { body }]) => body.safeParse(example).success).map(([name]) => name)
    expect(readers).toEqual([kind])
  })

  it('require the fields that the event of a call needs', () => {
    const { reason_code: _, reason_message: __, ...rest } = callbacks.call.example
    const reads = (fields: object) => callbacks.call.body.safeParse({ ...rest, ...fields }).success
    expect(reads({})).toBe(false)
    expect(reads({ event: 'callCreated' })).toBe(true)
    expect(reads({ event: 'muteForced' })).toBe(true)
    expect(reads({ event: 'callUpdated' })).toBe(false)
    expect(reads({ event: 'callUpdated', state: 'RINGING' })).toBe(true)
    expect(reads({ event: 'callDestroyed', reason_code: 486, reason_message: 'Busy Here' })).toBe(true)
  })
})

describe('callbackClaims', () => {
  it('accepts only a lowercase SHA-256', () => {
    const claims = (payload_hash: string) => callbackClaims.safeParse({ iat: 1, exp: 2, payload_hash }).success
    expect(claims('0'.repeat(63))).toBe(false)
    expect(claims('A'.repeat(64))).toBe(false)
    expect(claims('a'.repeat(64))).toBe(true)
  })
})
