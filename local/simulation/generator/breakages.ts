import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Breakable, Chaos } from '../chaos/chaos.ts'
import type { Draws } from './draws.ts'

/** Seconds by which most of what a show starts is running. */
const RUNNING = 60

/**
 * What breaks of this very show while it runs: chaos that is drawn for any show seldom finds a telephone or a web page to
 * break, so each kind that the show has is as likely, and the rare ones come first.
 */
export function randomBreakages(draws: Draws, show: ShowDocument): Pick<Chaos, 'failures' | 'restarts'> {
  const { chance, oneOf, between } = draws
  const time = () => between(RUNNING, Math.max(RUNNING, Math.min(show.duration, 600)))
  const rare = rareOnes(show)
  const kind = (): Breakable =>
    rare.length > 0 && chance(0.7) ? oneOf(rare) : oneOf(['archive', 'broadcast'] as const)
  const failure = (of: Breakable) => ({ at: of === 'call' ? between(0, RUNNING) : time(), of }) // many calls are over soon
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
