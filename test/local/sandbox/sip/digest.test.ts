import { describe, expect, it } from 'vitest'
import { createDigestAuthentication } from '../../../../local/sandbox/sip/digest.ts'
import { headersFrom } from '../../../../local/sandbox/sip/messages/headers.ts'
import type { SipRequest, SipResponse } from '../../../../local/sandbox/sip/messages/message.ts'

const invite: SipRequest = { method: 'GET', uri: '/dir/index.html', headers: [], body: '' }
const challenged = (field: string, ...values: string[]): SipResponse => ({
  status: 401,
  reason: '',
  headers: headersFrom({ [field]: values }),
  body: '',
})
const open = (password: string, nonce: string) =>
  createDigestAuthentication({ username: 'Mufasa', password }, () => nonce)
const opaque = 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS'
const example = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
  `nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="${opaque}"`

describe('createDigestAuthentication', () => {
  // The examples of RFC 7616, 3.9.1.
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('answers the example of RFC 7616 for %s', (algorithm, response) => {
    const digest = open('Circle of Life', 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ')
    expect(digest.challenge(challenged('WWW-Authenticate', example(algorithm)), invite)).toBe(true)
    const [header] = digest.headersFor(invite)
    expect(header?.name).toBe('Authorization')
    expect(header?.value).toContain(`response="${response}"`)
    expect(header?.value).toContain(`algorithm=${algorithm}, `)
    expect(header?.value).toContain('nc=00000001')
    expect(digest.headersFor(invite)[0]?.value).toContain('nc=00000002')
  })

  it('answers without qop as RFC 2069', () => {
    const digest = createDigestAuthentication({ username: 'Mufasa', password: 'CircleOfLife' }, () => 'unused')
    const challenge = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'
    digest.challenge(challenged('Proxy-Authenticate', challenge), invite)
    const [header] = digest.headersFor(invite)
    expect(header?.name).toBe('Proxy-Authorization')
    expect(header?.value).toContain('response="1949323746fe6a43ef61f9606e7febea"')
    expect(header?.value).not.toContain('cnonce')
  })

  it('takes the strongest hash of a realm that it understands', () => {
    const digest = open('any', 'own')
    const values = ['MD5', 'SHA-256', 'SHA-3'].map(example)
    digest.challenge(challenged('WWW-Authenticate', 'Basic realm="a"', ...values), invite)
    const headers = digest.headersFor(invite)
    expect(headers).toHaveLength(1)
    expect(headers[0]?.value).toContain('algorithm=SHA-256')
  })

  it('gives up when its answer is refused, except for a stale nonce', () => {
    const digest = open('any', 'own')
    const fresh = challenged('WWW-Authenticate', example('MD5'))
    expect(digest.challenge(fresh, invite)).toBe(true)
    const answered = { ...invite, headers: digest.headersFor(invite) }
    expect(digest.challenge(fresh, answered)).toBe(false)
    expect(digest.challenge(challenged('WWW-Authenticate', `${example('MD5')}, stale=TRUE`), answered)).toBe(true)
    expect(digest.challenge(challenged('WWW-Authenticate', 'Negotiate'), invite)).toBe(false)
  })
})
