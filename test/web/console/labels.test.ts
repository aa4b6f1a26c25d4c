import { describe, expect, it } from 'vitest'
import { timelineEventTypes } from '../../../lib/show/state/timeline.ts'
import { eventLabel, recordingFacts, startLabel, statusLabel, timeLabel } from '../../../web/console/labels.ts'

describe('statusLabel', () => {
  it('returns an unknown status unchanged', () => {
    expect(statusLabel('waiting')).toBe('Waiting for participants')
    expect(statusLabel('resting' as never)).toBe('resting')
  })
})

describe('eventLabel', () => {
  it('names the resource', () => {
    const at = '2026-03-01T20:05:09.700Z'
    expect(eventLabel({ at, what: 'recording.arrived', name: 'program' })).toBe('Recording program arrived')
    expect(eventLabel({ at, what: 'recording.arrived', name: 'program', part: 2 })).toBe(
      'Recording program (part 2) arrived',
    )
    expect(eventLabel({ at, what: 'door.opened', name: 'lobby' })).toBe('door.opened lobby')
    expect(eventLabel({ at, what: 'control.duration', detail: '90 s' })).toBe('Duration changed: 90 s')
    const moved = { at, what: 'control.duration', detail: 'The show ends at 2026-03-01T20:30:00.000Z.' }
    expect(eventLabel(moved, 'Europe/Berlin')).toBe('Duration changed: The show ends at 21:30:00.')
  })
})

describe('eventLabel, for the workflow', () => {
  it('has a label for every event', () => {
    const at = '2026-03-01T20:05:09.700Z'
    for (const what of timelineEventTypes) expect(eventLabel({ at, what, name: 'a' })).not.toContain(what)
  })
})

describe('startLabel', () => {
  it.each([
    [{ at: '2027-01-01T19:00', zone: 'Europe/Berlin' }, 'Starts at 2027-01-01 19:00 (Europe/Berlin)'],
    [{ cron: '0 9 ? * 2 *', zone: 'UTC' }, 'Every Monday at 9:00 (UTC)'],
    [
      { cron: '0 19 ? * TUE *', zone: 'Europe/Berlin', until: '2027-06-30' },
      'Every Tuesday at 19:00 until 2027-06-30 (Europe/Berlin)',
    ],
    [{ cron: '0/5 * * * ? *', zone: 'UTC', count: 3 }, 'Every 5 minutes, 3 times (UTC)'],
    [undefined, undefined],
  ])('describes %j', (start, words) => {
    expect(startLabel(start)).toBe(words)
  })
})

describe('timeLabel', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  const at = (changes: object) => timeLabel({ acceptedAt: '2026-11-01T10:00:00Z', ...changes } as never, now, 'UTC')

  it('is the next start of a scheduled show, and the time at which another one went live or was accepted', () => {
    expect(at({ nextStart: '2026-11-24T18:00:00.000Z' })).toBe('Next: 24 Nov 2026, 18:00')
    expect(at({ liveAt: '2026-11-23T10:30:00.000Z' })).toBe('today, 10:30')
    expect(at({})).toBe('1 Nov 2026, 10:00')
  })
})

describe('recordingFacts', () => {
  const source = { key: 'a', size: 1_100_000, sha256: null, url: '' }

  it('describes the content of a recording', () => {
    const video = { codec: 'h264', width: 1280, height: 720, frameRate: 29.97003 }
    const audio = { codec: 'aac', sampleRate: 48_000, channels: 2 }
    expect(recordingFacts({ duration: 20.1, video, audio, source }).replace(/[\u00a0\u2009]/g, ' ')).toBe(
      '0:20 · 1280 × 720 · 29.97 fps · h264 + aac · 1.1 MB',
    )
  })

  it('omits what the recording does not have', () => {
    const audio = { codec: 'aac', sampleRate: 48_000, channels: 2 }
    expect(recordingFacts({ duration: null, video: null, audio: null, source }).replace(/\u00a0/g, ' ')).toBe('1.1 MB')
    expect(recordingFacts({ duration: 61, video: null, audio, source }).replace(/\u00a0/g, ' ')).toBe(
      '1:01 · aac · 1.1 MB',
    )
  })
})
