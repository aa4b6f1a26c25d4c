import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createClientToken } from '../../../../lib/platform/client/client-tokens.ts'
import { sessionIds } from '../../../../lib/platform/contract/sessions.ts'
import { clientClaims } from '../../../../lib/platform/contract/tokens.ts'

const clock = createSteppedClock(1795166400000)
const apiSecret = 'the-project-secret'
const options = {
  apiKey: '100001',
  apiSecret,
  sessionId: sessionIds.make('100001', clock.now(), 'x'),
  role: 'publisher',
  clock,
} as const

const claimsOf = async (token: string) => {
  const key = new TextEncoder().encode(apiSecret)
  const { payload, protectedHeader } = await jwtVerify(token, key, { currentDate: new Date(clock.now()) })
  expect(protectedHeader.alg).toBe('HS256')
  return clientClaims.parse(payload)
}

describe('createClientToken', () => {
  it('signs the claims of a participant, valid for an hour', async () => {
    const { nonce, ...claims } = await claimsOf(await createClientToken(options))
    expect(claims).toEqual({
      iss: '100001',
      ist: 'project',
      iat: 1795166400,
      exp: 1795166400 + 3600,
      session_id: options.sessionId,
      role: 'publisher',
      scope: 'session.connect',
      initial_layout_class_list: '',
    })
    expect(nonce).not.toBe((await claimsOf(await createClientToken(options))).nonce)
  })

  it('has connection data, layout classes and another lifetime', async () => {
    const more = { data: 'camera=1', layoutClasses: ['focus', 'full'], expiresIn: 60 }
    expect(await claimsOf(await createClientToken({ ...options, ...more }))).toMatchObject({
      connection_data: 'camera=1',
      initial_layout_class_list: 'focus full',
      exp: 1795166460,
    })
  })

  it.each([
    ['sessionId', { sessionId: 'session' }],
    ['sessionId', { sessionId: sessionIds.make('7', 0, 'x') }],
    ['apiSecret', { apiSecret: '' }],
    ['role', { role: 'boss' as never }],
    ['expiresIn', { expiresIn: 0 }],
    ['layoutClasses', { layoutClasses: ['two words'] }],
  ])('refuses an invalid %s', async (name, wrong) => {
    await expect(createClientToken({ ...options, ...wrong })).rejects.toThrow(name)
  })
})
