import { describe, expect, it } from 'vitest'
import { timelineEventTypes } from '../../../lib/show/state/timeline.ts'
import {
  clock,
  facts,
  happeningWords,
  moment,
  second,
  size,
  startWords,
  statusWords,
} from '../../../web/console/format.js'

describe('clock', () => {
  it.each([
    [0, '0:00'],
    [7.9, '0:07'],
    [720, '12:00'],
    [3723, '1:02:03'],
    [-3, '0:00'],
  ])('shows %d seconds as %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text)
  })
})

describe('size', () => {
  it.each([
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [2_160_269, '2.2 MB'],
    [3_200_000_000, '3.2 GB'],
  ])('shows %d bytes as %s, on one line', (bytes, text) => {
    expect(size(bytes)).toBe(text.replace(' ', '\u00a0'))
  })
})

describe('moment', () => {
  const now = Date.parse('2026-03-01T10:00:00Z')

  it('names the day only when it is another one', () => {
    expect(moment('2026-03-01T08:05:00Z', now, 'UTC')).toBe('today, 08:05')
    expect(moment('2026-02-28T23:59:00Z', now, 'UTC')).toBe('28 Feb 2026, 23:59')
  })

  it('means the day of the place', () => {
    expect(moment('2026-02-28T23:59:00Z', now, 'Asia/Tokyo')).toBe('today, 08:59')
  })
})

describe('second', () => {
  it('has a 24-hour clock', () => {
    expect(second('2026-03-01T20:05:09.700Z', 'UTC')).toBe('20:05:09')
  })
})

describe('statusWords', () => {
  it('says what it does not know as it is', () => {
    expect(statusWords('waiting')).toBe('Waiting for guests')
    expect(statusWords('resting' as never)).toBe('resting')
  })
})

describe('happeningWords', () => {
  it('names what it is about', () => {
    const at = '2026-03-01T20:05:09.700Z'
    expect(happeningWords({ at, what: 'recording.arrived', name: 'program' })).toBe('Recording program arrived')
    expect(happeningWords({ at, what: 'recording.arrived', name: 'program', part: 2 })).toBe(
      'Recording program (part 2) arrived',
    )
    expect(happeningWords({ at, what: 'door.opened', name: 'lobby' })).toBe('door.opened lobby')
    expect(happeningWords({ at, what: 'control.duration', detail: '90 s' })).toBe('Duration changed: 90 s')
  })
})

describe('happeningWords, of the workflow', () => {
  it('has words for everything that can happen', () => {
    const at = '2026-03-01T20:05:09.700Z'
    for (const what of timelineEventTypes) expect(happeningWords({ at, what, name: 'a' })).not.toContain(what)
  })
})

describe('startWords', () => {
  it.each([
    [{ at: '2027-01-01T19:00', zone: 'Europe/Berlin' }, 'Starts at 2027-01-01 19:00 (Europe/Berlin)'],
    [{ cron: '0 9 ? * 2 *', zone: 'UTC' }, 'Starts whenever 0 9 ? * 2 * comes (UTC)'],
    [undefined, undefined],
  ])('says when %j is', (start, words) => {
    expect(startWords(start)).toBe(words)
  })
})

describe('facts', () => {
  const source = { key: 'a', size: 1_100_000, sha256: null, url: '' }

  it('says what a recording holds', () => {
    const video = { codec: 'h264', width: 1280, height: 720, frameRate: 29.97003 }
    const audio = { codec: 'aac', sampleRate: 48_000, channels: 2 }
    expect(facts({ duration: 20.1, video, audio, source }).replace(/[\u00a0\u2009]/g, ' ')).toBe(
      '0:20 · 1280 × 720 · 29.97 fps · h264 + aac · 1.1 MB',
    )
  })

  it('leaves out what it does not hold', () => {
    const audio = { codec: 'aac', sampleRate: 48_000, channels: 2 }
    expect(facts({ duration: null, video: null, audio: null, source }).replace(/\u00a0/g, ' ')).toBe('1.1 MB')
    expect(facts({ duration: 61, video: null, audio, source }).replace(/\u00a0/g, ' ')).toBe('1:01 · aac · 1.1 MB')
  })
})
