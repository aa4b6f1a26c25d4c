import { describe, expect, it } from 'vitest'
import { createSecretSearch } from '../../../../local/simulation/environment/secret-search.ts'

const value = 'käy"of\nthe house'
const search = createSecretSearch([
  { name: 'the key', value },
  { name: 'a short one', value: 'sesame' },
])

describe('createSecretSearch', () => {
  it.each([
    ['as it is', value],
    ['inside of JSON', JSON.stringify({ value })],
    ['in an address', encodeURIComponent(value)],
    ['in base64', Buffer.from(value).toString('base64')],
    ['in base64, one character into it', Buffer.from(`u${value}w`).toString('base64')],
    ['in base64, as the password of a user', Buffer.from(`user:${value}`).toString('base64')],
  ])('finds a secret %s', (_how, shown) => {
    expect(search(shown)).toContain('the key')
    expect(search(`before ${shown} and after`)).toEqual(['the key'])
  })

  it.each([
    ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl'],
    ['a client token', 'T1==cGFydG5lcl9pZD0xMjM0JnNpZz0'],
    ['a signed address', 'https://bucket/archive.mp4?X-Amz-Signature=00'],
    ['a signature of a request to AWS', `AWS4-HMAC-SHA256 Credential=AKIA/x, Signature=${'0a'.repeat(32)}`],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIGdldCBvdXQgb2Y='],
  ])('finds %s, which is not configured', (name, text) => {
    expect(search(`well ${text}`)).toEqual([name])
  })

  it('finds nothing in other texts, and ignores secrets that are too short', () => {
    expect(search('')).toEqual([])
    expect(search('open, sesame! The key of the house is under the mat.')).toEqual([])
  })

  it('finds each of many once, at both ends of a text', () => {
    const secrets = Array.from({ length: 2_000 }, (_, index) => ({ name: `${index}`, value: `secret-${index}-value` }))
    const found = createSecretSearch(secrets)('secret-7-value secret-1999-value secret-7-value secret-42-value')
    expect(found).toEqual(['7', '1999', '42'])
  })
})
