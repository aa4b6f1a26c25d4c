import { describe, expect, it } from 'vitest'
import { sessionIds } from '../../../../lib/platform/contract/sessions.ts'
import { AUTH_HEADER } from '../../../../lib/platform/contract/tokens.ts'
import { openSandbox } from '../open-sandbox.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('sessionHandlers', () => {
  it('creates a session whose id carries the API key', async () => {
    const { call, apiKey } = openSandbox()
    const { body } = await call('createSession')
    expect(body).toEqual([
      {
        session_id: expect.stringMatching(/^2_/),
        project_id: apiKey,
        create_dt: 'Fri Nov 20 09:00:00 UTC 2026',
        media_server_url: '',
      },
    ])
    expect(sessionIds.apiKeyOf(body[0].session_id)).toBe(apiKey)
  })

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['somewhere~else', ''],
  ])('carries the location %s in the id as "%s"', async (location, carried) => {
    const { call, apiKey, clock } = openSandbox()
    const { body } = await call('createSession', { location })
    const fields = Buffer.from(body[0].session_id.slice(2), 'base64url').toString().split('~')
    expect(fields).toEqual(['1', apiKey, carried, String(clock.now()), expect.stringMatching(/^[0-9a-f]+$/), ''])
  })

  it.each([
    '',
    'location=null',
    'location=&archiveMode=',
    'archiveMode=always',
    'e2ee=false&p2p.preference=disabled&location=10.0.0.1',
  ])('accepts the form "%s"', async (body) => {
    const { send } = openSandbox()
    expect(await send('POST', '/session/create', { headers: form, body })).toMatchObject({ status: 200 })
  })

  it.each([
    ['archiveMode=sometimes', form, /^archiveMode: /],
    ['archiveMode=always&p2p.preference=enabled', form, /^archiveMode always requires p2p.preference disabled/],
    ['{"archiveMode":"always"}', { 'content-type': 'application/json' }, /x-www-form-urlencoded/],
  ])('refuses the body %s', async (body, headers, message) => {
    const { send } = openSandbox()
    const answer = await send('POST', '/session/create', { headers, body })
    expect(answer).toEqual({ status: 400, body: { code: 400, message: expect.stringMatching(message) } })
  })

  it('answers in XML unless the request accepts JSON', async () => {
    const { sandbox, sign, apiKey } = openSandbox()
    const headers = { [AUTH_HEADER]: await sign() }
    const response = await sandbox.fetch(new Request('http://localhost/session/create', { method: 'POST', headers }))
    expect(response.headers.get('content-type')).toBe('application/xml')
    expect(await response.text()).toMatch(
      new RegExp(`<sessions><Session><session_id>2_[\\w-]+</session_id><project_id>${apiKey}</project_id>`),
    )
  })
})
