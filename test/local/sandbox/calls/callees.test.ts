import { describe, expect, it } from 'vitest'
import { calleeOf, callees, withoutPassword } from '../../../../local/sandbox/calls/callees.ts'

const play = (uri: string, isAuthenticated = false) => calleeOf(uri, isAuthenticated)

describe('calleeOf', () => {
  it.each(Object.keys(callees))('plays the script of %s', (name) => {
    const { seconds = 0, play } = callees[name] ?? { play: () => undefined }
    expect(calleeOf(`sip:${name}@example.com`, false)).toEqual(play(seconds, false))
  })

  it.each([
    'sip:stage@example.com',
    'sip:example.com',
    'sip:busy.example.com',
    'sip:constructor@example.com',
    'sip:busy-5@example.com',
    'sip:hangup-@example.com',
    'sip:hangup-123456@example.com',
    'sip:15551234567@example.com;transport=tls',
  ])('answers as the default callee for %s', (uri) => {
    expect(play(uri)).toEqual(play('sip:answer@example.com'))
  })

  it.each(['sips:BUSY@example.com', 'sip:busy:secret@example.com;transport=tcp', 'SIP:busy;x=1@example.com'])(
    'finds the user part of %s',
    (uri) => {
      expect(play(uri)).toEqual(play('sip:busy@example.com'))
    },
  )

  it('reads seconds after the name', () => {
    expect(play('sip:hangup-90@example.com').steps.at(-1)).toMatchObject({ after: 90, ending: { code: 700 } })
    expect(play('sip:drop-1@example.com').steps.at(-1)).toMatchObject({ after: 1, ending: { code: 703 } })
  })

  it('requires credentials for a guarded callee', () => {
    expect(play('sip:guarded@example.com').steps).toMatchObject([{ does: 'refuse', ending: { code: 401 } }])
    expect(play('sip:guarded@example.com', true)).toEqual(play('sip:answer@example.com'))
  })
})

describe('withoutPassword', () => {
  it.each([
    ['sip:stage:secret@example.com;transport=tls', 'sip:stage@example.com;transport=tls'],
    ['sips:stage:a:b@example.com:5061', 'sips:stage@example.com:5061'],
    ['sip:stage@example.com:5060', 'sip:stage@example.com:5060'],
    ['sip:example.com:5060', 'sip:example.com:5060'],
  ])('makes %s into %s', (uri, without) => {
    expect(withoutPassword(uri)).toBe(without)
  })
})
