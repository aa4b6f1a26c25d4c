import { readFileSync } from 'node:fs'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Chaos } from '../chaos/chaos.ts'
import type { SimulatedParticipant } from '../environment/participants.ts'
import type { PlannedControl } from '../generator/controls/controls.ts'
import type { Plan } from '../generator/plan.ts'
import { randomSecrets } from '../generator/secrets.ts'
import { createRandom } from '../scheduling/random.ts'

/** Seed of all cases, so that they differ in the fault only. */
export const REFERENCE_SEED = 1

/** A show that faults are tried on, with its plan. */
export interface Reference {
  readonly name: string
  /** The features that it covers and the ones before it do not. */
  readonly summary: string
  readonly show: ShowDocument
  readonly plan: Plan
  readonly chaos?: Chaos
}

/** Reads the example with every feature, 10 minutes long, with each of its ends, and a long show with several parts. */
export function readReferences(): readonly Reference[] {
  const file = new URL('../../../examples/everything.json', import.meta.url)
  const everything: ShowDocument = JSON.parse(readFileSync(file, 'utf8'))
  return [
    {
      name: 'planned',
      summary: 'starts by its schedule, is asked for every control but to stop, and ends as planned',
      ...planned({ ...everything, start: { at: '2030-01-01T00:02' } }, controls),
    },
    {
      name: 'stopped',
      summary: 'is stopped on request',
      ...planned(everything, [ask(300, { what: 'stop' })]),
    },
    {
      name: 'unscheduled',
      summary: 'is deleted before its start',
      ...planned({ ...everything, start: { at: '2030-01-01T02:00' } }, [
        { ...ask(60, { what: 'unschedule' }), after: 'posted' },
      ]),
    },
    {
      name: 'rescued',
      summary: 'waits for its audience, and the uploads of two recordings fail',
      ...planned(everything, [], [{ name: 'Ada', comesAt: 30 }]),
      chaos: { failedUploads: 2 },
    },
    {
      name: 'swept',
      summary: 'has its executions aborted, and is ended by the sweep',
      ...planned(everything, []),
      chaos: { aborts: [291, 292, 293, 294] },
    },
    {
      name: 'parts',
      summary: 'is so long that a recording and a broadcast roll over to another part',
      ...planned(inParts, []),
    },
  ]
}

const inParts: ShowDocument = {
  version: 1,
  name: 'In parts',
  duration: 15_000,
  recordings: [{ name: 'program' }],
  broadcasts: [
    {
      name: 'live',
      hls: {},
      rtmp: [{ id: 'main', serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'streams#main' } }],
      maxDuration: 7_200,
      parts: true,
    },
  ],
}

/** Participants who stay, leave and return, and join late. */
const three: readonly SimulatedParticipant[] = [
  { name: 'Ada' },
  { name: 'Grace', leavesAt: 200, returnsAt: 260 },
  { name: 'Linus', joinsAt: 100 },
]

function planned(
  show: ShowDocument,
  asked: readonly PlannedControl[],
  participants = three,
): Pick<Reference, 'show' | 'plan'> {
  const secrets = randomSecrets(createRandom(REFERENCE_SEED, 'secrets'), [show, asked], { missing: 0 })
  return { show, plan: { participants, controls: asked, secrets, appOutages: [], occurrences: 1 } }
}

const ask = (at: number, control: PlannedControl['control']): PlannedControl => ({
  at,
  after: 'live',
  control,
  key: `control-${at}`,
  posts: 1,
  together: false,
})

const controls: readonly PlannedControl[] = [
  // One by one, so that a lost request refuses nothing else.
  ask(110, { what: 'change', duration: 660 }),
  ask(115, { what: 'change', layouts: [{ recording: 'tiles', layout: { type: 'pip' } }] }),
  ask(120, { what: 'change', layouts: [{ broadcast: 'live', layout: { type: 'bestFit' } }] }),
  ask(125, { what: 'change', streams: [{ recording: 'highlights', add: 'Ada' }] }),
  ask(130, { what: 'change', streams: [{ broadcast: 'stage', add: 'Ada', hasVideo: false }] }),
  ask(140, { what: 'signal', signal: { type: 'chat', data: 'Hello' } }),
  ask(150, { what: 'signal', signal: { type: 'chat', data: 'Hello, Ada' }, participant: 'Ada' }),
  ask(160, { what: 'mute', participant: 'Ada' }),
  ask(170, { what: 'mute', active: true }),
  ask(180, { what: 'dialIn', order: { name: 'late', uri: 'sip:answer@sip.example.com' } }),
  ask(300, {
    what: 'broadcast',
    order: {
      name: 'late',
      rtmp: [{ id: 'main', serverUrl: 'rtmp://late.example.com/app', streamName: { secret: 'streams#main' } }],
    },
  }),
]
