import type { Random } from '../scheduling/random.ts'
import { breakables, type Chaos } from './chaos.ts'

/** Draws what goes wrong beside the calls of a show that lasts about so many seconds; most shows have some of it, none all. */
export function drawChaos(random: Random, { within }: { within: number }): Chaos {
  const chance = (share: number) => random.next() < share
  const time = () => Math.floor(random.next() * within)
  const upTo = (most: number) => 1 + random.below(most)
  const times = <T>(share: number, most: number, make: () => T) =>
    chance(share) ? Array.from({ length: upTo(most) }, make) : []
  return {
    restarts: times(0.1, 2, () => ({ at: time(), down: upTo(120) })),
    aborts: times(0.2, 2, time),
    failures: times(0.5, 3, () => ({ at: time(), of: breakables[random.below(breakables.length)] ?? 'archive' })),
    failedUploads: chance(0.15) ? upTo(3) : 0,
    suspensions: times(0.06, 1, () => ({ at: time(), seconds: upTo(600) })),
    exoduses: times(0.15, 2, () => ({ at: time(), ...(chance(0.6) && { back: upTo(300) }) })),
    listLag: chance(0.3) ? upTo(15) : 0,
    ...(chance(0.4) && { events: { twice: random.next() * 0.5, late: random.next() * 0.5, latest: upTo(600) } }),
  }
}
