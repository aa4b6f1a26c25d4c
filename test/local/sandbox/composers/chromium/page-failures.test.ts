import { describe, expect, it } from 'vitest'
import { reasonOfFailure, reasonOfStatus } from '../../../../../local/sandbox/composers/chromium/page-failures.ts'

const failure = (code: string) =>
  reasonOfFailure(`page.goto: net::ERR_${code} at http://scenes.example.com/\nCall log:`)

describe('reasonOfFailure', () => {
  it.each([
    ['NAME_NOT_RESOLVED', 'The page cannot be reached: no host has this name.'],
    ['CONNECTION_REFUSED', 'The page cannot be reached: its host refuses connections.'],
    ['CONNECTION_TIMED_OUT', 'The page cannot be reached: its host is silent.'],
    ['EMPTY_RESPONSE', 'The page cannot be reached: its host closed the connection.'],
    ['CERT_AUTHORITY_INVALID', 'The page cannot be reached: its host has no valid certificate.'],
    ['TOO_MANY_REDIRECTS', 'The page cannot be reached: it redirects without end.'],
    ['UNSAFE_REDIRECT', 'The page is not a web page.'],
    ['UNSAFE_PORT', 'The page cannot be reached: browsers refuse its port.'],
    ['HTTP2_PROTOCOL_ERROR', 'The page cannot be reached: the browser reports HTTP2_PROTOCOL_ERROR.'],
  ])('explains %s', (code, reason) => {
    expect(failure(code)).toBe(reason)
  })

  it.each([
    ['page.goto: Download is starting', 'The page is not a web page: its address is a download.'],
    ['page.goto: Page crashed', 'The page crashed.'],
    ['page.goto: Navigation was interrupted', 'The page could not be opened by the browser.'],
  ])('explains the error %s of Playwright', (message, reason) => {
    expect(reasonOfFailure(message)).toBe(reason)
  })
})

describe('reasonOfStatus', () => {
  it.each([
    [200, undefined],
    [undefined, undefined],
    [399, undefined],
    [400, 'The page cannot be shown: its server answered 400.'],
    [503, 'The page cannot be shown: its server answered 503.'],
  ])('gives for the status %s: %s', (status, reason) => {
    expect(reasonOfStatus(status)).toBe(reason)
  })
})
