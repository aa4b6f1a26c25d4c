import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { SimulatedParticipant } from '../environment/participants.ts'
import type { Draws } from './draws.ts'

const DEFAULT_WAIT = 900 // seconds

/**
 * Draws up to seven participants. One show in twenty has none. In the others the first joins in time or, rarely, too
 * late.
 */
export function randomParticipants(draws: Draws, show: ShowDocument): SimulatedParticipant[] {
  const { audienceWait = DEFAULT_WAIT } = show
  const duration = maxSecondsOf(show)
  const { chance, between, logUniform, oneOf, times } = draws
  if (chance(0.05)) return []
  const publishes = () => chance(0.85)
  const first = {
    name: 'Ada',
    comesAt: oneOf([0, 0, 0, logUniform(1, audienceWait), chance(0.15) ? audienceWait + 60 : 1]),
    publishes: publishes(),
  }
  const others = times(between(0, 6), (index): SimulatedParticipant => {
    const name = `Guest ${index + 1}`
    if (chance(0.3)) return { name, comesAt: logUniform(1, audienceWait), publishes: publishes() }
    return { name, joinsAt: between(0, duration), publishes: publishes() }
  })
  const participants = [first, ...others]
  return chance(0.1)
    ? leavingAll(draws, participants, duration)
    : participants.map((participant) => leaving(draws, participant, duration))
}

/** Lets only the first participant who publishes do so. */
export function withOnePublisher(participants: readonly SimulatedParticipant[]): SimulatedParticipant[] {
  const first = participants.findIndex(({ publishes = true }) => publishes)
  return participants.map((one, index) => (index === first ? one : { ...one, publishes: false }))
}

/** Lets all participants leave before the show’s end. */
const leavingAll = ({ between }: Draws, participants: readonly SimulatedParticipant[], duration: number) => {
  const end = between(60, duration)
  return participants.map(({ joinsAt, ...participant }) => ({
    ...participant,
    ...(joinsAt !== undefined && { joinsAt: Math.min(joinsAt, end - 1) }),
    leavesAt: end,
  }))
}

function leaving(
  { chance, between }: Draws,
  participant: SimulatedParticipant,
  duration: number,
): SimulatedParticipant {
  if (chance(0.6)) return participant
  const leavesAt = between((participant.joinsAt ?? 0) + 1, duration + 1)
  return chance(0.5)
    ? { ...participant, leavesAt }
    : { ...participant, leavesAt, returnsAt: between(leavesAt, leavesAt + 600) }
}
