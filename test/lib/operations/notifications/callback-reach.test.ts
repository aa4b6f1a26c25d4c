import { describe, expect, it } from 'vitest'
import { problemOfTarget } from '../../../../lib/operations/notifications/callback-reach.ts'

describe('problemOfTarget', () => {
  it.each([
    'https://app.example.com/hook',
    'https://app.example.com:8443/hook?tenant=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
    'https://localhost.example.com/',
  ])('accepts %s', (url) => {
    expect(problemOfTarget(url, 'public')).toBeUndefined()
  })

  it.each([
    ['http://app.example.com/hook', 'must be an https URL: this deployment posts callbacks only by https'],
    ['https://localhost/hook', 'must name a host on the internet: localhost is not a public address'],
    ['https://LOCALHOST./hook', 'must name a host on the internet: localhost. is not a public address'],
    ['https://app.localhost/', 'must name a host on the internet: app.localhost is not a public address'],
    ['https://10.0.0.7/', 'must name a host on the internet: 10.0.0.7 is not a public address'],
    ['https://0x7f.1/', 'must name a host on the internet: 127.0.0.1 is not a public address'],
    ['https://169.254.169.254/', 'must name a host on the internet: 169.254.169.254 is not a public address'],
    ['https://[::1]/', 'must name a host on the internet: ::1 is not a public address'],
    ['https://[fd00::1]/', 'must name a host on the internet: fd00::1 is not a public address'],
  ])('refuses %s: %s', (url, message) => {
    expect(problemOfTarget(url, 'public')).toBe(message)
    expect(problemOfTarget(url, 'anywhere')).toBeUndefined()
  })
})
