import { describe, expect, it } from 'vitest'
import { covers, secretDestination } from '../../../../lib/show/document/secret-destination.ts'

describe('covers', () => {
  it.each([
    ['rtmps://live.example.com/', 'rtmps://live.example.com/app'],
    ['rtmps://live.example.com', 'rtmps://LIVE.example.com:443/app/more'],
    ['rtmps://live.example.com/app', 'rtmps://live.example.com/app'],
    ['rtmp://live.example.com/', 'rtmp://live.example.com:1935/app'],
    ['rtmp://live.example.com/', 'rtmps://live.example.com/app'],
    ['rtmp://127.0.0.1:1936/', 'rtmp://127.0.0.1:1936/app'],
    ['https://app.example.com/hooks', 'https://app.example.com/hooks/one?key=a'],
    ['sip:example.com', 'sip:ada@example.com'],
    ['sip:example.com', 'sips:ada@example.com'],
    ['sips:example.com', 'sip:ada@EXAMPLE.com;transport=tls'],
    ['sips:example.com', 'sips:ada@example.com:5061'],
    ['sip:ada@example.com', 'sip:ada@example.com;transport=tcp'],
    ['sip:[::1]:5080', 'sip:ada@[::1]:5080'],
  ])('allows a value that is bound to %s for %s', (binding, url) => {
    expect(secretDestination.safeParse(binding).success).toBe(true)
    expect(covers(binding, url)).toBe(true)
  })

  it.each([
    ['rtmps://live.example.com/', 'rtmp://live.example.com/app'],
    ['rtmps://live.example.com/', 'rtmps://live.example.com.evil.example/app'],
    ['rtmps://live.example.com/', 'rtmps://evil.example/live.example.com'],
    ['rtmps://live.example.com/', 'rtmps://live.example.com@evil.example/app'],
    ['rtmps://live.example.com/', 'rtmps://live.example.com\\@evil.example/app'],
    ['rtmps://live.example.com/', 'rtmps://live.example.com:1443/app'],
    ['rtmps://live.example.com/app', 'rtmps://live.example.com/apple'],
    ['rtmps://live.example.com/app', 'rtmps://live.example.com/app/../other'],
    ['rtmps://live.example.com/app', 'rtmps://live.example.com/app/%2e%2e/other'],
    ['rtmps://live.example.com/', 'https://live.example.com/'],
    ['https://app.example.com/', 'http://app.example.com/'],
    ['sips:example.com', 'sip:ada@example.com'],
    ['sips:example.com', 'sip:ada@example.com;transport=tlsx'],
    ['sip:example.com', 'sip:ada@example.com;maddr=evil.example'],
    ['sip:example.com', 'sip:ada@example.com?Route=evil.example'],
    ['sip:example.com', 'sip:evil.example;x=@example.com'],
    ['sip:example.com', 'sip:ada@evil.example'],
    ['sip:ada@example.com', 'sip:bob@example.com'],
    ['', 'rtmps://live.example.com/app'],
    ['*', 'rtmps://live.example.com/app'],
  ])('refuses a value that is bound to %j for %s', (binding, url) => expect(covers(binding, url)).toBe(false))
})

describe('secretDestination', () => {
  it.each([
    'live.example.com',
    'rtmps://',
    'ftp://example.com/',
    'rtmps://a:b@example.com/',
    'https://a/?b',
    'sip:',
    'sip:a;b=c',
  ])('refuses %j, and explains the form', (text) => {
    const { error } = secretDestination.safeParse(text)
    expect(error?.issues[0]?.message).toContain('must be a server such as rtmps://')
  })
})
