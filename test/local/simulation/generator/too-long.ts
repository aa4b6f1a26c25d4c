import type { Scenario } from '../../../../local/simulation/runner/trial.ts'
import { repeatFaults } from '../../../../local/simulation/shrinking/recorded-faults.ts'

const control = { after: 'live', posts: 1, together: false } as const
const struck = { caller: 'WatchShow', operation: 'platform listArchives', fault: { kind: '500' } } as const

/** A show that is extended beyond its maximum. Everything else is irrelevant. */
export const tooLong: Scenario = {
  show: {
    version: 1,
    name: 'Extended',
    duration: 300,
    recordings: [{ name: 'program' }, { name: 'tiles' }],
    broadcasts: [{ name: 'live', hls: {} }],
    labels: { team: 'a' },
  },
  plan: {
    participants: [
      { name: 'Ada', publishes: true },
      { name: 'Linus', joinsAt: 20 },
    ],
    controls: [
      { ...control, at: 30, key: 'signal', control: { what: 'signal', signal: { type: 'chat', data: 'Hello' } } },
      { ...control, at: 60, key: 'longer', control: { what: 'change', duration: 7_200 } },
    ],
    secrets: {},
    appOutages: [],
    occurrences: 1,
  },
  chaos: { failedUploads: 1, exoduses: [{ at: 40, back: 5 }] },
  decide: repeatFaults([
    { ...struck, occurrence: 2 },
    { ...struck, occurrence: 4 },
  ]),
  extraSeconds: 0,
  maxSeconds: 1_800,
}
