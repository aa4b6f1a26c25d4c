import { describe, expect, it } from 'vitest'
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
  it('accepts signals and layouts until the end', () => {
    expect(
      problemsOf({ at: 0, signal }, { at: 59, recording: 'program', layout }, { at: 59, broadcast: 'live', layout }),
    ).toEqual([])
  })

  it.each([
    [{ at: 0 }, 'cues[0]: needs either signal or layout'],
    [{ at: 0, signal, layout, recording: 'program' }, 'cues[0]: needs either signal or layout'],
    [{ at: 0, layout }, 'cues[0]: needs either recording or broadcast'],
    [{ at: 0, layout, recording: 'program', broadcast: 'live' }, 'cues[0]: needs either recording or broadcast'],
    [{ at: 0, signal, recording: 'program' }, 'cues[0].recording: is only for a layout'],
    [{ at: 0, layout, recording: 'other' }, 'cues[0].recording: names no recording of the show: other'],
    [{ at: 0, layout, broadcast: 'other' }, 'cues[0].broadcast: names no broadcast of the show: other'],
    [
      { at: 0, layout, recording: 'tracks' },
      'cues[0].recording: must name a recording with outputMode composed: others have no layout',
    ],
    [{ at: 60, signal }, 'cues[0].at: must be before the end of the show, which lasts 60 s'],
    [{ at: -1, signal }, 'cues[0].at: must be at least 0'],
    [{ at: 1.5, signal }, 'cues[0].at: must be a whole number'],
    [{ at: 0, marker: 'Talk' }, 'cues[0].marker: is not a field of a show'],
  ])('refuses %j: %s', (cue, problem) => {
    expect(problemsOf(cue)).toContain(problem)
  })

  it('refuses more than fifty', () => {
    expect(problemsOf(...Array.from({ length: 51 }, () => ({ at: 0, signal })))).toEqual([
      'cues: must have at most 50 entries',
    ])
  })
})
