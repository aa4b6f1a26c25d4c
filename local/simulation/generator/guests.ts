import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Guest } from '../environment/guests.ts'
import type { Draws } from './draws.ts'

const DEFAULT_WAIT = 900 // seconds

/** Nobody in one of twenty shows; else somebody who comes in time or, rarely, too late, and up to six more. */
export function randomGuests(draws: Draws, { duration, audienceWait = DEFAULT_WAIT }: ShowDocument): Guest[] {
  const { chance, between, logUniform, oneOf, times } = draws
  if (chance(0.05)) return []
  const publishes = () => chance(0.85)
  const first = {
    name: 'Ada',
    comesAt: oneOf([0, 0, 0, logUniform(1, audienceWait), chance(0.15) ? audienceWait + 60 : 1]),
    publishes: publishes(),
  }
  const others = times(between(0, 6), (index): Guest => {
    const name = `Guest ${index + 1}`
    if (chance(0.3)) return { name, comesAt: logUniform(1, audienceWait), publishes: publishes() }
    return { name, joinsAt: between(0, duration), publishes: publishes() }
  })
  const guests = [first, ...others]
  return chance(0.1) ? leavingAll(draws, guests, duration) : guests.map((guest) => leaving(draws, guest, duration))
}

/** A show that everybody leaves before its end. */
const leavingAll = ({ between }: Draws, guests: readonly Guest[], duration: number) => {
  const end = between(60, duration)
  return guests.map(({ joinsAt, ...guest }) => ({
    ...guest,
    ...(joinsAt !== undefined && { joinsAt: Math.min(joinsAt, end - 1) }),
    leavesAt: end,
  }))
}

function leaving({ chance, between }: Draws, guest: Guest, duration: number): Guest {
  if (chance(0.6)) return guest
  const leavesAt = between((guest.joinsAt ?? 0) + 1, duration + 1)
  return chance(0.5) ? { ...guest, leavesAt } : { ...guest, leavesAt, returnsAt: between(leavesAt, leavesAt + 600) }
}
