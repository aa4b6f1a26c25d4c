import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Breakable, Chaos } from '../chaos/chaos.ts'
import type { Draws } from './draws.ts'

/** Seconds after which most resources of a show run. */
const RUNNING = 60

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
  return {
    failures: chance(0.6) ? [failure(kind())] : [],
    restarts: chance(0.06) ? [{ at: time(), down: between(1, 90) }] : [],
  }
}

const rareOnes = ({ scenes = [], dialIns = [], broadcasts = [] }: ShowDocument): Breakable[] => [
  ...(scenes.length > 0 ? (['composer'] as const) : []),
  ...(dialIns.length > 0 ? (['call', 'call'] as const) : []), // some are never answered
  ...(broadcasts.some(({ rtmp = [] }) => rtmp.length > 0) ? (['rtmp target'] as const) : []),
]
