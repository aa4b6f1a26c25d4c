import { describe, expect, it } from 'vitest'
import { callOperations } from '../../../../lib/platform/contract/calls.ts'

const { body, example } = callOperations.dial

describe('dial', () => {
  const takes = (sip: object) => body.safeParse({ ...example.request, sip: { uri: 'sip:a@b.example', ...sip } }).success

  it('fills in its defaults', () => {
    const { sip } = body.parse({ ...example.request, sip: { uri: 'sip:a@b.example' } })
    expect(sip).toEqual({ uri: 'sip:a@b.example', secure: false, video: false, observeForceMute: false })
  })

  it.each([
    ['sip:user@sip.example.com', true],
    ['sip:user@sip.example.com;transport=tls', true],
    ['sip:user@sip.example.com;transport=tcp?X-Show=keynote', true],
    ['sips:+15551234567@[::1]:5061;transport=UDP', true],
    ['sip:user@sip.example.com;transport=sctp', false],
    ['sip:user@sip.example.com;transport=tlsx', false],
    ['tel:+15551234567', false],
    ['sip:', false],
    ['sip:user@a.example\r\nX-Injected: 1', false],
  ])('takes the URI %j: %s', (uri, taken) => {
    expect(takes({ uri })).toBe(taken)
  })

  it.each([
    [{ 'X-Show': 'keynote' }, true],
    [{ 'X-Show': 'Größe' }, true],
    [{}, true],
    [{ Show: 'keynote' }, false],
    [{ 'X-': 'keynote' }, false],
    [{ 'X-A': 'a', From: 'b' }, false],
    [{ 'X-A: b\r\nC': 'd' }, false],
    [{ 'X-Show': 'a\r\nFrom: b' }, false],
    [{ 'X-Show': 5 }, false],
  ])('takes the headers %j: %s', (headers, taken) => {
    expect(takes({ headers })).toBe(taken)
  })

  it.each([
    ['15551234567@example.com', true],
    ['example.com', false],
    ['a@b@c', false],
  ])('takes the from %j: %s', (from, taken) => {
    expect(takes({ from })).toBe(taken)
  })
})

describe('playDtmfToSession', () => {
  it.each([
    ['0123456789*#p', true],
    ['', false],
    ['12a', false],
    ['1P', false],
  ])('takes the digits %j: %s', (digits, taken) => {
    expect(callOperations.playDtmfToSession.body.safeParse({ digits }).success).toBe(taken)
  })
})
