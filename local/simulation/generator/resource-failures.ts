import { limits } from '../../../lib/platform/contract/limits.ts'
import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Breakable, Chaos } from '../chaos/chaos.ts'
import type { Draws } from './draws.ts'
import type { Plan } from './plan.ts'

/** Seconds after which most resources of a show run. */
const RUNNING = 60
/** Seconds before the limit of an archive at which its next part begins. */
const LEAD = 120

/**
 * Draws failures of the resources that this show has. Chaos drawn for any show seldom finds a call or a composer, so
 * each kind of the show is equally likely here.
 */
export function randomResourceFailures(draws: Draws, show: ShowDocument): Pick<Chaos, 'failures' | 'restarts'> {
  const { chance, oneOf, between } = draws
  const time = () => between(RUNNING, Math.max(RUNNING, Math.min(maxSecondsOf(show), 600)))
  const rare = rareOnes(show)
  const kind = (): Breakable =>
    rare.length > 0 && chance(0.7) ? oneOf(rare) : oneOf(['archive', 'broadcast'] as const)
  const failure = (of: Breakable) => ({ at: of === 'call' ? between(0, RUNNING) : time(), of }) // many calls end soon
  const drawn = {
    failures: chance(0.6) ? [failure(kind())] : [],
    restarts: chance(0.06) ? [{ at: time(), down: between(1, 90) }] : [],
  }
  // Drawn last, so that seeds keep the rest of their failures.
  return {
    ...drawn,
    failures: [
      ...drawn.failures,
      ...repeatedFailures(draws),
      ...failuresOfHandovers(draws, show),
      ...failuresBeforePauses(draws, show),
    ],
  }
}

/** Draws the failure of a recording and of the parts that follow it. An eighth of all shows have them. */
function repeatedFailures({ chance, between, times }: Draws): NonNullable<Chaos['failures']> {
  if (chance(0.875)) return []
  const first = between(RUNNING, 600)
  return times(between(3, 5), (index) => ({ at: first + index, of: 'archive', ...(index > 0 && { isNextPart: true }) }))
}

/** Draws the failure of a recording whose next part has just begun, or is about to. Half of all shows with such parts have it. */
function failuresOfHandovers({ chance }: Draws, show: ShowDocument): NonNullable<Chaos['failures']> {
  const begins = limits.archiveDuration.value - LEAD
  return maxSecondsOf(show) > begins && chance(1 / 2)
    ? [{ at: begins - 60, of: 'archive', isNextPart: chance(0.7) }]
    : []
}

/** Draws the failure of a recording shortly before a planned pause, in which it must not continue. Half of all shows with pauses have it. */
function failuresBeforePauses(
  { chance, between, oneOf }: Draws,
  { recordings }: ShowDocument,
): NonNullable<Chaos['failures']> {
  const begins = recordings.flatMap(({ pauses = [] }) => pauses.map(({ from }) => from))
  return begins.length > 0 && chance(1 / 2) ? [{ at: Math.max(0, oneOf(begins) - between(0, 40)), of: 'archive' }] : []
}

/** Draws the failure of a recording on which a clip waits. Half of all shows with clips have it. */
export function failuresAfterClips(
  { chance, between, oneOf }: Draws,
  { controls }: Pick<Plan, 'controls'>,
): NonNullable<Chaos['failures']> {
  const requests = controls.filter(({ control }) => control.what === 'clip').map(({ at }) => at)
  return requests.length > 0 && chance(1 / 2) ? [{ at: oneOf(requests) + between(0, 60), of: 'archive' }] : []
}

/** Draws interruptions of the RTMP outputs, shorter and longer than they may take to connect. A third of all shows with outputs have some. */
export function interruptedOutputs(
  { chance, between, oneOf, times }: Draws,
  { broadcasts = [] }: ShowDocument,
): NonNullable<Chaos['unstableOutputs']> {
  if (broadcasts.every(({ rtmp = [] }) => rtmp.length === 0) || chance(2 / 3)) return []
  const first = between(120, 600)
  return times(between(2, 3), (index) => ({ at: first + index * 300, seconds: oneOf([55, 58, 170]) }))
}

const rareOnes = ({ scenes = [], dialIns = [], broadcasts = [] }: ShowDocument): Breakable[] => [
  ...(scenes.length > 0 ? (['composer'] as const) : []),
  ...(dialIns.length > 0 ? (['call', 'call'] as const) : []), // some are never answered
  ...(broadcasts.some(({ rtmp = [] }) => rtmp.length > 0) ? (['rtmp target'] as const) : []),
]
