import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { SimulatedParticipant } from '../../environment/participants.ts'
import type { Draws } from '../draws.ts'
import type { PlannedControl } from './controls.ts'

/** Draws a stop while a show starts, or waits for its audience. A tenth of all shows have one. */
export function randomEarlyStop(
  { chance, between, oneOf }: Draws,
  show: ShowDocument,
  participants: readonly SimulatedParticipant[],
): PlannedControl[] {
  if (show.start || chance(0.85)) return []
  const arrivals = participants.flatMap(({ comesAt = 0, joinsAt }) => (joinsAt === undefined ? comesAt : []))
  const first = Math.floor(Math.min(600, ...arrivals))
  // While the first participant is awaited, and when the arrival and the stop meet.
  const at = oneOf([0, between(0, first), first])
  return [{ at, after: 'posted', key: 'early-stop', posts: 1, together: false, control: { what: 'stop' } }]
}
