import { describe, expect, it } from 'vitest'
import { createConsole } from '../../../bin/console/console-server.ts'
import { listen } from '../../../local/cloud/server.ts'
import { problemOf, useConsole } from './open-console.ts'

const { page, pageOf, post, seen, optionsOf } = useConsole()

describe('createForwarding', () => {
  it('forwards the requests of the page with the token, and never returns it', async () => {
    const list = await page('/api/shows?limit=20')
    expect(await list.text()).toBe('{"asked":"/shows"}')
    expect([...list.headers.values()].join()).not.toContain('secret')
    await post('/api/shows', '{"version":1}', { 'idempotency-key': 'k', authorization: 'Bearer other' })
    expect(seen.map(({ line }) => line)).toEqual(['GET /shows?limit=20', 'POST /shows'])
    expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer secret', 'Bearer secret'])
    expect(seen[1]?.body).toBe('{"version":1}')
    expect(seen[1]?.headers.get('idempotency-key')).toBe('k')
    expect(seen[1]?.headers.get('cookie')).toBeNull()
  })

  it('returns the answers of the API', async () => {
    const response = await page('/api/shows/none')
    expect([response.status, await response.json()]).toEqual([404, { detail: 'There is no show none.' }])
    expect((await page('/api/shows/Not_an_id')).status).toBe(404)
    expect(seen).toHaveLength(1)
  })

  it('forwards filters, controls and idempotency keys, and answers 304 for a version that the page has', async () => {
    await page('/api/shows?limit=20&status=live&label=customer%3Dc-7')
    await page('/api/shows/abc', { method: 'PATCH', body: '{"layouts":[]}', headers: { 'idempotency-key': 'k' } })
    await post('/api/shows/abc/stop', '{}')
    await page('/api/shows/abc', { method: 'DELETE' })
    await page('/api/recordings/0b-1/captions/en', { method: 'PUT', body: 'WEBVTT' })
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /shows?limit=20&status=live&label=customer%3Dc-7',
      'PATCH /shows/abc',
      'POST /shows/abc/stop',
      'DELETE /shows/abc',
      'PUT /recordings/0b-1/captions/en',
    ])
    expect(seen[1]?.headers.get('idempotency-key')).toBe('k')
    const same = await page('/api/shows/same', { headers: { 'if-none-match': '"1"' } })
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, '"1"', ''])
  })

  it('answers 502 when the API refuses the token, because the page cannot change it', async () => {
    const refusal = [502, expect.stringContaining('does not accept the token')]
    expect(await problemOf(await page('/api/shows/denied'))).toEqual(refusal)
  })

  it('answers 502 when the API does not answer', async () => {
    const gone = await listen(async () => Response.error())
    await gone.close()
    const response = await pageOf(createConsole(optionsOf(gone.url)))('/api/shows')
    expect(await problemOf(response)).toEqual([502, expect.stringContaining('does not answer')])
  })

  it('answers 502 when a proxy answers in place of the API', async () => {
    expect(await problemOf(await page('/api/recordings?limit=502'))).toEqual([502, 'The API answered 502.'])
    const foreign = [502, expect.stringContaining('is not the API of Showrunner')]
    expect(await problemOf(await page('/api/recordings?limit=200'))).toEqual(foreign)
  })

  it('refuses a request over the size limit', async () => {
    expect((await post('/api/shows', ' '.repeat(2 ** 22 + 1))).status).toBe(413)
    expect(seen).toEqual([])
  })
})
