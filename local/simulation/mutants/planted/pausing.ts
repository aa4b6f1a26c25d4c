import type { Planted } from '../mutant.ts'

/** Mistakes in pauses of recordings. */
export const pausing: readonly Planted[] = [
  {
    what: 'a pause in which the recording continues',
    edits: [{ file: 'lib/show/plan/pause-steps.ts', text: 'if (!pause) return []\n', instead: 'return []\n' }],
    seed: 14,
  },
  {
    what: 'a recording that is not continued after a pause',
    edits: [
      { file: 'lib/show/plan/pause-steps.ts', text: 'if (!pause) return undefined\n', instead: 'return undefined\n' },
    ],
    seed: 14,
  },
  {
    what: 'a part that begins within a pause',
    edits: [
      {
        file: 'lib/show/plan/pause-steps.ts',
        text: 'return pause ? stepAt(sequence, last.part + 1, pause.to) : step',
        instead: 'return step',
      },
    ],
    seed: 31,
  },
  {
    what: 'a request to resume that the pause ignores',
    edits: [
      {
        file: 'lib/show/state/pauses.ts',
        text: 'Math.min(to, ...resumed.filter((at) => at >= from))',
        instead: 'to',
      },
    ],
    seed: 9,
  },
  {
    what: 'an archive of which the start arrived late and that records on',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'const strays = seen ? await stopStrays(services, noted, seen) : []',
        instead: 'const strays: string[] = []',
      },
    ],
    seed: 42,
  },
]
