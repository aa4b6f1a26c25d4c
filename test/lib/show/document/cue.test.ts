import { describe, expect, it } from 'vitest'
import { markersOf } from '../../../../lib/show/document/cue.ts'
import { parseShow } from '../../../../lib/show/document/show.ts'

const signal = { type: 'notice', data: 'Now' }
const layout = { type: 'pip' }
const document = {
  version: 1.1,
  name: 'A',
  duration: 60,
  recordings: [{ name: 'program' }, { name: 'tracks', outputMode: 'individual' }],
  broadcasts: [{ name: 'live', hls: {} }],
}
const problemsOf = (...cues: unknown[]) => {
  const parsed = parseShow({ ...document, cues })
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('cueOrder', () => {
  it('accepts markers of all recordings or of one', () => {
    expect(problemsOf({ at: 0, marker: 'Welcome' }, { at: 59, marker: 'Q & A', recording: 'tracks' })).toEqual([])
  })

  it('refuses a marker in a show that records nothing', () => {
    const parsed = parseShow({ ...document, recordings: [], cues: [{ at: 0, marker: 'Welcome' }] })
    expect(parsed).toEqual({ problems: [{ path: 'cues[0].marker', message: 'needs a recording in the show' }] })
  })

  it('accepts signals and layouts until the end', () => {
    expect(
      problemsOf({ at: 0, signal }, { at: 59, recording: 'program', layout }, { at: 59, broadcast: 'live', layout }),
    ).toEqual([])
  })

  it.each([
    [{ at: 0 }, 'cues[0]: needs exactly one of signal, layout and marker'],
    [{ at: 0, signal, layout, recording: 'program' }, 'cues[0]: needs exactly one of signal, layout and marker'],
    [{ at: 0, layout }, 'cues[0]: needs either recording or broadcast'],
    [{ at: 0, layout, recording: 'program', broadcast: 'live' }, 'cues[0]: needs either recording or broadcast'],
    [{ at: 0, signal, recording: 'program' }, 'cues[0].recording: is only for a layout or a marker'],
    [{ at: 0, layout, recording: 'other' }, 'cues[0].recording: names no recording of the show: other'],
    [{ at: 0, layout, broadcast: 'other' }, 'cues[0].broadcast: names no broadcast of the show: other'],
    [
      { at: 0, layout, recording: 'tracks' },
      'cues[0].recording: must name a recording with outputMode composed: others have no layout',
    ],
    [{ at: 60, signal }, 'cues[0].at: must be before the end of the show, which lasts 60 s'],
    [{ at: -1, signal }, 'cues[0].at: must be at least 0'],
    [{ at: 1.5, signal }, 'cues[0].at: must be a whole number'],
    [{ at: 0, marker: 'Talk', signal }, 'cues[0]: needs exactly one of signal, layout and marker'],
    [{ at: 0, marker: 'Talk', broadcast: 'live' }, 'cues[0].broadcast: is only for a layout'],
    [{ at: 0, marker: 'Talk', recording: 'other' }, 'cues[0].recording: names no recording of the show: other'],
    [{ at: 0, marker: ' ' }, 'cues[0].marker: must not be blank'],
    [{ at: 0, marker: 'One\nTwo' }, 'cues[0].marker: must not contain control characters'],
    [{ at: 0, marker: 'x'.repeat(101) }, 'cues[0].marker: must have at most 100 characters'],
  ])('refuses %j: %s', (cue, problem) => {
    expect(problemsOf(cue)).toContain(problem)
  })

  it('refuses more than fifty', () => {
    expect(problemsOf(...Array.from({ length: 51 }, () => ({ at: 0, signal })))).toEqual([
      'cues: must have at most 50 entries',
    ])
  })
})

describe('markersOf', () => {
  it('returns the markers of one recording and those of all', () => {
    const cues = [
      { at: 5, marker: 'All' },
      { at: 6, signal },
      { at: 7, marker: 'Tracks', recording: 'tracks' },
    ]
    expect(markersOf({ cues }, 'program')).toEqual([{ at: 5, title: 'All' }])
    expect(markersOf({ cues }, 'tracks')).toEqual([
      { at: 5, title: 'All' },
      { at: 7, title: 'Tracks' },
    ])
  })
})
