import { names } from '../../../../lib/show/document/fields/names.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { type TaskName, tasks } from '../../../../lib/tasks/tasks.ts'
import type { AimedFaults } from '../../faults/aimed-faults.ts'
import { invocationFaults } from '../../faults/fault.ts'
import type { Random } from '../../scheduling/random.ts'
import { createDraws } from '../draws.ts'

/** Operations that every show calls seldom, so that other faults seldom strike them. */
const RARE = ['createSession', 'setUploadTarget', 'signalSession', 'listStreams', 'getArchive'] as const

/** Returns the operations that start, change and stop what a show has, and so only some shows call. */
const operationsOf = ({ recordings, broadcasts = [], scenes = [], dialIns = [] }: ShowDocument) => ({
  stops: [
    ...(recordings.length > 0 ? ['stopArchive', 'stopArchive'] : []),
    ...(broadcasts.length > 0 ? ['stopBroadcast'] : []),
    ...(scenes.length > 0 ? ['stopComposer'] : []),
    ...(dialIns.length > 0 ? ['forceDisconnect'] : []),
  ],
  others: [
    ...RARE,
    ...(recordings.length > 0 ? ['startArchive', 'setArchiveLayout', 'changeArchiveStreams'] : []),
    ...(broadcasts.length > 0 ? ['startBroadcast', 'setBroadcastLayout', 'changeBroadcastStreams'] : []),
    ...(scenes.length > 0 ? ['startComposer'] : []),
    ...(dialIns.length > 0 ? ['dial', 'playDtmfToConnection'] : []),
  ],
})

/** Calls that Lambda makes of one invocation by a schedule. */
export const CALLS_OF_A_SCHEDULE = 3

/** Kinds that a repetition may cure. */
const KINDS = ['429', '429', '500', 'lost before', 'lost after'] as const
/** Upper bound of consecutive faults: some outlast the three attempts of a call, and those of its task. */
const MAX_TIMES = 9

/** Draws the aims of one show. Half of all shows have none. Most aim at stops, which end what would run on. */
export function drawAims(random: Random, show: ShowDocument): AimedFaults[] {
  const { stops, others } = operationsOf(show)
  const { chance, between, oneOf, times } = createDraws(random)
  if (chance(0.5)) return []
  return times(between(1, 2), () => ({
    operation: `platform ${oneOf(chance(0.6) ? stops : others)}`,
    from: oneOf([1, 1, 1, 2, between(2, 6)]),
    times: between(1, MAX_TIMES),
    kind: oneOf(KINDS),
  }))
}

/** Kinds after which it is unknown whether tones were played, and kinds by which they were not. */
const OF_TONES = ['lost after', 'lost before', '400', '404', '500'] as const

/** Draws failures of the tones of dial-ins, which are never repeated. Three of four shows with such dial-ins have them. */
export function drawToneFailures(random: Random, { dialIns = [] }: ShowDocument): AimedFaults[] {
  const { chance, oneOf } = createDraws(random)
  if (dialIns.every(({ tones }) => tones === undefined) || chance(0.25)) return []
  return [{ operation: 'platform playDtmfToConnection', from: 1, times: MAX_TIMES, kind: oneOf(OF_TONES) }]
}

/** Failures of a task that outlast an execution and the first that closes its show. */
const OUTLASTING = 16

/** Draws the aims at functions of one show. Half of all shows have some: what is repeated is given up at the end, and caught. */
export function drawFunctionAims(random: Random): AimedFaults[] {
  const { chance, between, oneOf, times } = createDraws(random)
  if (chance(0.5)) return []
  const drawn = times(between(1, 2), () => ({
    operation: `lambda ${names.substitution(oneOf(Object.keys(tasks) as TaskName[]))}`,
    from: oneOf([1, 1, 2]),
    times: between(1, MAX_TIMES),
    kind: oneOf(invocationFaults),
  }))
  if (chance(0.85)) return drawn
  return [
    {
      operation: `lambda ${oneOf(['ReportShow', 'StopShow', 'RollOver'])}`,
      from: 1,
      times: OUTLASTING,
      kind: 'crashed before',
    },
  ]
}

/** Draws failures of all calls of a schedule that start a show. A quarter of the shows with a start have them. */
export function drawMissedStarts(random: Random, { start }: ShowDocument): AimedFaults[] {
  const { chance } = createDraws(random)
  if (!start || chance(0.75)) return []
  return [{ operation: 'lambda StartShow', from: 1, times: CALLS_OF_A_SCHEDULE, kind: 'crashed before' }]
}
