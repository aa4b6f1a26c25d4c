import { describe, expect, it } from 'vitest'
import { answerPreflight, type CorsRule, corsHeaders } from '../../../../../local/cloud/s3/http/cors.ts'

const reading: CorsRule = {
  AllowedMethods: ['GET', 'HEAD'],
  AllowedOrigins: ['*'],
  AllowedHeaders: ['Range'],
  MaxAge: 600,
}
const writing: CorsRule = {
  AllowedMethods: ['PUT'],
  AllowedOrigins: ['https://*.example.com'],
  AllowedHeaders: ['x-amz-*'],
  ExposedHeaders: ['ETag'],
}

const ask = (method: string, headers: Record<string, string>) =>
  new Request('http://127.0.0.1/media/key', { method, headers })
const preflight = (method: string, origin: string, asked?: string) =>
  answerPreflight(
    ask('OPTIONS', {
      origin,
      'access-control-request-method': method,
      ...(asked && { 'access-control-request-headers': asked }),
    }),
    [reading, writing],
  )

describe('answerPreflight', () => {
  it('allows what a rule allows, with the headers that were asked for', () => {
    const answer = preflight('GET', 'https://anywhere.test', 'range')
    expect(answer?.status).toBe(200)
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'range',
      'access-control-max-age': '600',
    })
  })

  it('names the origin where not every one is allowed', () => {
    const answer = preflight('PUT', 'https://app.example.com', 'x-amz-date, X-Amz-Meta-Show')
    expect(answer?.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(answer?.headers.get('access-control-expose-headers')).toBe('ETag')
  })

  it.each([
    ['another method', 'DELETE', 'https://app.example.com', undefined],
    ['another header', 'GET', 'https://anywhere.test', 'authorization'],
    ['another origin', 'PUT', 'https://example.org', undefined],
    ['an origin that only begins alike', 'PUT', 'https://app.example.com.evil.test', undefined],
  ])('refuses %s', (_what, method, origin, asked) => {
    const answer = preflight(method, origin, asked)
    expect(answer?.status).toBe(403)
    expect(answer?.headers.has('access-control-allow-origin')).toBe(false)
  })

  it('leaves every other request to the bucket', () => {
    expect(answerPreflight(ask('GET', { origin: 'https://anywhere.test' }), [reading])).toBeUndefined()
    expect(answerPreflight(ask('OPTIONS', {}), [reading])).toBeUndefined()
  })
})

describe('corsHeaders', () => {
  it('lets a page of another origin read the answer, if a rule allows it', () => {
    const headers = corsHeaders(ask('GET', { origin: 'https://anywhere.test' }), [reading, writing])
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', vary: expect.stringContaining('origin') })
    expect(corsHeaders(ask('DELETE', { origin: 'https://anywhere.test' }), [reading, writing])).toEqual({})
  })

  it('adds nothing for other requests', () => {
    expect(corsHeaders(ask('GET', {}), [reading])).toEqual({})
  })
})
