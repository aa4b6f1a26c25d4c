import { describe, expect, it } from 'vitest'
import { describeChange, type Ended } from '../../../../local/simulation/exhaustive/outcome.ts'

const at = '2030-01-01T00:00:00Z'
const recording = { name: 'program', part: 1, tag: 'a/program/1' }
const faultless: Ended = {
  status: 'succeeded',
  recordings: [recording, { ...recording, name: 'tiles' }],
  broadcasts: [{ name: 'live', part: 1, tag: 'a/live/1', status: 'stopped' }],
  scenes: [{ name: 'lobby', status: 'stopped' }],
  dialIns: [{ name: 'press', status: 'ended' }],
  timeline: [
    { at, what: 'control.signal', id: '1' },
    { at, what: 'control.signal', id: '2' },
  ],
  automaticArchives: [],
}

describe('describeChange', () => {
  it.each<[string, Partial<Ended>, string]>([
    ['nothing', {}, 'nothing'],
    ['a lost recording', { status: 'failed', recordings: [{ ...recording, lost: 'Gone.' }] }, 'failed, recording lost'],
    [
      'several of a kind',
      { recordings: faultless.recordings.map((one) => ({ ...one, rescued: true })) },
      '2 × recording rescued',
    ],
    [
      'what had no luck',
      {
        broadcasts: [{ name: 'live', part: 1, tag: 'a/live/1', problem: 'No.' }],
        scenes: [{ name: 'lobby', status: 'failed' }],
        dialIns: [{ name: 'press', status: 'unknown' }],
      },
      'broadcast failed, scene failed, dial-in unknown',
    ],
    ['a control that was not carried out', { timeline: [{ at, what: 'control.signal', id: '1' }] }, 'signal refused'],
    [
      'the sweep',
      { status: 'failed', timeline: [...faultless.timeline, { at, what: 'show.closing' }] },
      'failed, end by the sweep',
    ],
  ])('describes %s', (_, changed, words) => {
    expect(describeChange({ ...faultless, ...changed }, faultless)).toBe(words)
  })

  it('omits what is the same without the fault', () => {
    const lost = { ...faultless, recordings: [{ ...recording, lost: 'Gone.' }] }
    expect(describeChange(lost, lost)).toBe('nothing')
  })

  it('describes a missing result', () => {
    expect(describeChange(null, faultless)).toBe('no show')
  })

  it('describes a show that should not have run', () => {
    expect(describeChange(null, null)).toBe('nothing')
    expect(describeChange(faultless, null)).toBe('succeeded though unscheduled')
  })
})
