import { describe, expect, it } from 'vitest'
import { addressAt, momentOf, pauseAtEnd, secondsOf } from '../../../web/watch/start-time.ts'

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

describe('momentOf', () => {
  it('reads the fragment before the query', () => {
    expect(momentOf({ hash: '#t=12', search: '?t=5' })).toEqual({ from: 12 })
    expect(momentOf({ hash: '', search: '?expires=1&t=1m' })).toEqual({ from: 60 })
    expect(momentOf({ hash: '#top', search: '' })).toBeUndefined()
  })

  it('reads an end behind the start', () => {
    expect(momentOf({ hash: '', search: '?t=12,1:00' })).toEqual({ from: 12, to: 60 })
    expect(momentOf({ hash: '#t=,45', search: '' })).toEqual({ from: 0, to: 45 })
    expect(momentOf({ hash: '#t=45,12', search: '' })).toEqual({ from: 45 })
    expect(momentOf({ hash: '#t=12,soon', search: '' })).toEqual({ from: 12 })
  })
})

describe('addressAt', () => {
  it('keeps the credentials, and replaces an earlier time', () => {
    const page = 'https://a.example.com/watch/b/embed?expires=1&t=3&signature=c#t=4'
    expect(addressAt(page, { from: 61.9 })).toBe('https://a.example.com/watch/b?expires=1&signature=c&t=61')
    expect(addressAt(page, undefined)).toBe('https://a.example.com/watch/b?expires=1&signature=c')
  })

  it('names an end, which momentOf reads', () => {
    const address = addressAt('https://a.example.com/watch/b', { from: 12.5, to: 44.2 })
    expect(address).toBe('https://a.example.com/watch/b?t=12,45')
    expect(momentOf(new URL(address))).toEqual({ from: 12, to: 45 })
  })
})

describe('pauseAtEnd', () => {
  /** A video that is at these seconds, one after the other. */
  function play(...events: readonly (readonly ['timeupdate' | 'seeking', number])[]): number[] {
    const video = Object.assign(new EventTarget(), { currentTime: 0, pause: () => paused.push(video.currentTime) })
    const paused: number[] = []
    pauseAtEnd(video, { from: 10, to: 20 })
    for (const [type, time] of events) {
      video.currentTime = time
      video.dispatchEvent(new Event(type))
    }
    return paused
  }

  it('pauses once', () => {
    expect(play(['seeking', 10], ['timeupdate', 19.9], ['timeupdate', 20.1], ['timeupdate', 20.3])).toEqual([20.1])
  })

  it('does nothing once the viewer has left the moment', () => {
    expect(play(['timeupdate', 12], ['seeking', 90], ['timeupdate', 90.2])).toEqual([])
    expect(play(['timeupdate', 12], ['seeking', 2], ['timeupdate', 20.2])).toEqual([])
  })
})
