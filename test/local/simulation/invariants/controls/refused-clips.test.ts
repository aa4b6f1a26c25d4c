import { describe, expect, it } from 'vitest'
import { refusedClips } from '../../../../../local/simulation/invariants/controls/refused-clips.ts'
import { asked, showWith } from '../made-up-evidence.ts'

const judge = ([from, to]: readonly [number | string, number], message: string) =>
  refusedClips({
    shows: [showWith({ state: { liveAt: new Date(0).toISOString() } })],
    apiRequests: [
      asked(600_000, {
        path: '/shows/a-show/clips',
        body: JSON.stringify({ from, to }),
        status: 400,
        answer: JSON.stringify({ problems: [{ path: 'to', message }] }),
      }),
    ],
  })

describe('refusedClips', () => {
  it.each([
    ['must be at least 0.5 s after from', [10, 10.2], [10, 20]],
    ['must not be in the future', [10, 700], [10, 500]],
    ['must be at least 0', [-1, 20], [10, 20]],
  ] as const)('finds that a clip is refused because it %s, and it is not so', (message, right, wrong) => {
    expect(judge(right, message)).toEqual([])
    expect(judge(wrong, message)).toEqual([
      `a clip from ${wrong[0]} s to ${wrong[1]} s of a-show is refused, because it ${message}`,
    ])
  })

  it('leaves clips from a marker to others', () => {
    expect(judge(['last marker', 20], 'must be at least 0')).toEqual([])
  })
})
