import { readFileSync } from 'node:fs'
import type { ShowDocument } from '../../../lib/workflow/show.ts'
import type { PlannedControl } from '../generator/controls.ts'
import type { Plan } from '../generator/plan.ts'
import { randomSecrets } from '../generator/secrets.ts'
import { createRandom } from '../random.ts'

/** One seed for all cases, so that nothing differs between them but the fault. */
export const REFERENCE_SEED = 1

/**
 * The show with every feature of the examples, by a schedule, with what people do meanwhile: every control once, and a guest
 * who leaves and comes back.
 */
export function readReference(): { readonly show: ShowDocument; readonly plan: Plan } {
  const file = new URL('../../../examples/everything.json', import.meta.url)
  const show: ShowDocument = { ...JSON.parse(readFileSync(file, 'utf8')), start: { at: '2030-01-01T00:02' } }
  const guests = [{ name: 'Ada' }, { name: 'Grace', leavesAt: 200, returnsAt: 260 }, { name: 'Linus', joinsAt: 100 }]
  const secrets = randomSecrets(createRandom(REFERENCE_SEED, 'secrets'), [show, controls], { missing: 0 })
  return { show, plan: { guests, controls, secrets, appOutages: [], occurrences: 1 } }
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
  ask(120, {
    what: 'change',
    duration: 660,
    layouts: [
      { recording: 'program', layout: { type: 'pip' } },
      { broadcast: 'live', layout: { type: 'bestFit' } },
    ],
    streams: [
      { recording: 'highlights', add: 'Ada' },
      { broadcast: 'stage', add: 'Ada', hasVideo: false },
    ],
  }),
  ask(140, { what: 'signal', signal: { type: 'chat', data: 'Hello' } }),
  ask(150, { what: 'signal', signal: { type: 'chat', data: 'Hello, Ada' }, guest: 'Ada' }),
  ask(160, { what: 'mute', guest: 'Ada' }),
  ask(170, { what: 'mute', active: true }),
  ask(180, { what: 'dialIn', order: { name: 'late', uri: 'sip:answer@sip.example.com' } }),
  ask(300, {
    what: 'broadcast',
    order: {
      name: 'late',
      rtmp: [{ id: 'main', serverUrl: 'rtmp://late.example.com/app', streamName: { secret: 'streams#main' } }],
    },
  }),
  ask(600, { what: 'stop' }),
]
