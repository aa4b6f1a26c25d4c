import type { Planted } from '../mutant.ts'

const TURNS = 'lib/publish/queue/queued-turns.ts'
const TAKING = 'lib/publish/queue/take-turn.ts'

/** Mistakes in the queue of archives that are to be published. */
export const queueing: readonly Planted[] = [
  {
    what: 'a maximum of publishes that is ignored',
    edits: [{ file: TAKING, text: "Number(services.variable('MAX_PUBLISHES'))", instead: '50' }],
    seed: 9,
  },
  {
    what: 'free turns that are counted without those that are taken',
    edits: [{ file: TURNS, text: 'const free = max - running.length', instead: 'const free = max' }],
    seed: 9,
  },
  {
    what: 'a turn that is taken and not recorded',
    edits: [{ file: TURNS, text: 'running: [...running, entry]', instead: 'running' }],
    seed: 9,
  },
]
