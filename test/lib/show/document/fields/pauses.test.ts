import { describe, expect, it } from 'vitest'
import { MAX_PAUSES } from '../../../../../lib/show/document/fields/pauses.ts'
import { parseShow } from '../../../../../lib/show/document/show.ts'

const document = { version: 1.1, name: 'A', duration: 600 }
const problemsIn = (recording: object, changes: object = {}) => {
  const parsed = parseShow({ ...document, ...changes, recordings: [{ name: 'program', ...recording }] })
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}
const problemsOf = (...pauses: unknown[]) => problemsIn({ pauses })
const PLACE = 'recordings[0].pauses'

describe('pauseOrder', () => {
  it('accepts pauses in order, with something to record before, between and after', () => {
    expect(problemsOf({ from: 10, to: 20 }, { from: 30, to: 590 })).toEqual([])
    expect(problemsIn({ pauses: [{ from: 10, to: 20 }], outputMode: 'individual' })).toEqual([])
    const open = { duration: null, maxDuration: 600 }
    expect(problemsIn({ pauses: [{ from: 10, to: 590 }] }, open)).toEqual([])
  })

  it.each([
    [[{ from: 0, to: 60 }], `${PLACE}[0].from: must be at least 10`],
    [[{ from: 60, to: 69 }], `${PLACE}[0].to: must be at least 10 s after from`],
    [[{ from: 60, to: 50 }], `${PLACE}[0].to: must be at least 10 s after from`],
    [[{ from: 60 }], `${PLACE}[0].to: is missing`],
    [
      [
        { from: 60, to: 90 },
        { from: 99, to: 200 },
      ],
      `${PLACE}[1].from: must be at least 10 s after the pause before, at 90 s`,
    ],
    [
      [
        { from: 300, to: 400 },
        { from: 60, to: 90 },
      ],
      `${PLACE}[1].from: must be at least 10 s after the pause before, at 400 s`,
    ],
    [[{ from: 60, to: 591 }], `${PLACE}[0].to: must be at least 10 s before the end of the show, which lasts 600 s`],
    [[{ from: 60.5, to: 90 }], `${PLACE}[0].from: must be a whole number`],
  ])('refuses %j: %s', (pauses, problem) => {
    expect(problemsOf(...pauses)).toEqual([problem])
  })

  it('checks the longest time of a show with an open end', () => {
    const open = { duration: null, maxDuration: 600 }
    expect(problemsIn({ pauses: [{ from: 60, to: 599 }] }, open)).toHaveLength(1)
  })

  it('refuses them where a recording cannot resume', () => {
    const pauses = [{ from: 60, to: 90 }]
    expect(problemsIn({ pauses, parts: false })).toEqual([
      `${PLACE}: must not be set with parts false: a recording resumes in another part`,
    ])
    expect(problemsIn({ pauses, streamMode: 'manual' })).toEqual([
      `${PLACE}: must not be set with streamMode manual: the platform forgets the selected streams`,
    ])
  })

  it(`refuses more than ${MAX_PAUSES}`, () => {
    const pauses = Array.from({ length: MAX_PAUSES + 1 }, (_, n) => ({ from: 20 * n + 10, to: 20 * n + 20 }))
    expect(problemsOf(...pauses.slice(1))).toEqual([])
    expect(problemsOf(...pauses)).toEqual([`${PLACE}: must have at most ${MAX_PAUSES} entries`])
  })

  it('reports other problems beside malformed pauses', () => {
    expect(problemsIn({ pauses: { from: 1 }, name: '' })).toHaveLength(2)
    expect(problemsOf(null, 'later', [1])).toHaveLength(3)
  })
})
