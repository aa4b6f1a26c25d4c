import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { AimedFaults } from '../faults/aimed-faults.ts'
import { randomHandoverControls } from './controls/handovers.ts'
import type { Draws } from './draws.ts'
import type { Plan } from './plan.ts'

/** Seconds before a pause in which participants who take a break leave: their recording ends before the pause begins. */
const EARLY = { least: 70, most: 250 }
/** Share of the shows with such a pause. */
const SHARE = 0.4
/** Failures of the task that starts the part after the pause: more than are retried. */
const FAILURES: AimedFaults = { operation: 'lambda RollOver', from: 1, times: 8, kind: 'crashed before' }
/** An answer with numbers for the id and the status of the broadcast. */
const GARBLED: AimedFaults = {
  ...{ operation: 'platform startBroadcast', from: 1, times: 1, kind: 'garbage', form: 'mistyped' },
}

/**
 * Draws a show whose only participants take a break: they leave before a pause, and return about its end. Little else happens
 * in it, since almost anything would end or connect the session. Returns undefined for shows without a long enough pause.
 */
export function randomBreak(
  draws: Draws,
  show: ShowDocument,
): { readonly show: ShowDocument; readonly plan: Plan; readonly aims: readonly AimedFaults[] } | undefined {
  const { chance, between, oneOf } = draws
  const { version, name, duration, recordings, callback } = show
  const pauses = recordings.flatMap(({ pauses: all = [] }) => all.filter(({ from }) => from > EARLY.least + 20))
  if (duration === null || pauses.length === 0 || !chance(SHARE)) return undefined
  const { from, to } = oneOf(pauses)
  const leavesAt = from - between(EARLY.least, Math.min(EARLY.most, from - 10))
  const returnsAt = between(from, to + 30)
  const participants = ['Ada', 'Grace'].map((participant) => ({ name: participant, leavesAt, returnsAt }))
  const aims = chance(0.4) ? [FAILURES] : [GARBLED]
  return {
    aims,
    show: {
      ...{ version, name, duration, recordings },
      broadcasts: [{ name: 'live', hls: {}, parts: true }],
      ...(callback && { callback: { url: callback.url } }),
    },
    plan: {
      ...{ participants, secrets: {}, appOutages: [], occurrences: 1 },
      controls: randomHandoverControls(draws, show, participants),
    },
  }
}
