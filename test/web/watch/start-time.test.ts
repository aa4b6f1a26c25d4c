import { describe, expect, it } from 'vitest'
import { addressAt, secondsOf, startOf } from '../../../web/watch/start-time.ts'

describe('secondsOf', () => {
  it.each([
    ['90', 90],
    ['12.5', 12.5],
    ['90s', 90],
    ['2m', 120],
    ['1h02m03s', 3723],
    ['1h', 3600],
    ['2:03', 123],
    ['1:02:03', 3723],
    ['0', 0],
  ])('reads %s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })

  it.each(['', 'soon', '-3', '1e9', '3m2h', '1:2:3:4', ':', 'NaN', '99999999999'])('refuses %j', (text) => {
    expect(secondsOf(text)).toBeUndefined()
  })
})

describe('startOf', () => {
  it('reads the fragment before the query', () => {
    expect(startOf({ hash: '#t=12', search: '?t=5' })).toBe(12)
    expect(startOf({ hash: '', search: '?expires=1&t=1m' })).toBe(60)
    expect(startOf({ hash: '#top', search: '' })).toBeUndefined()
  })
})

describe('addressAt', () => {
  it('keeps the credentials, and replaces an earlier time', () => {
    const page = 'https://a.example.com/watch/b/embed?expires=1&t=3&signature=c#t=4'
    expect(addressAt(page, 61.9)).toBe('https://a.example.com/watch/b?expires=1&signature=c&t=61')
    expect(addressAt(page, undefined)).toBe('https://a.example.com/watch/b?expires=1&signature=c')
  })
})
