import { damages } from '../environment/platform/file-damage.ts'
import type { Random } from '../scheduling/random.ts'
import { breakables, type Chaos } from './chaos.ts'

/** Seconds by which the clocks of the platform and of AWS differ at most. The platform accepts tokens within them. */
const MAX_SKEW = 5
/** Damaged downloads that outlast every attempt to rescue an archive. */
const MANY = 200
/** Seconds. */
const DAY = 86_400

/**
 * Draws faults beside the calls of a show. Most shows have some, none has all.
 * @param within seconds that the show lasts, approximately
 */
export function drawChaos(random: Random, { within }: { within: number }): Chaos {
  const chance = (share: number) => random.next() < share
  const time = () => Math.floor(random.next() * within)
  const upTo = (max: number) => 1 + random.below(max)
  const times = <T>(share: number, max: number, make: () => T) =>
    chance(share) ? Array.from({ length: upTo(max) }, make) : []
  const damage = () => damages[random.below(damages.length)] ?? 'truncated'
  const drawn = {
    restarts: times(0.1, 2, () => ({ at: time(), down: upTo(120) })),
    aborts: times(0.2, 2, time),
    failures: times(0.5, 3, () => ({ at: time(), of: breakables[random.below(breakables.length)] ?? 'archive' })),
    failedUploads: chance(0.15) ? upTo(3) : 0,
    suspensions: times(0.09, 1, () => ({ at: time(), seconds: upTo(600) })),
    exoduses: times(0.15, 2, () => ({ at: time(), ...(chance(0.6) && { back: upTo(300) }) })),
    listLag: chance(0.3) ? upTo(15) : 0,
    ...(chance(0.4) && { events: { twice: random.next() * 0.5, late: random.next() * 0.5, latest: upTo(600) } }),
  }
  // Drawn last, so that seeds keep the rest of their chaos.
  const secrets = ['upload key', 'callback key'] as const
  const more = {
    ...drawn,
    failedUploads: Math.max(drawn.failedUploads, chance(0.2) ? upTo(3) : 0),
    truncatedFiles: chance(0.1) ? upTo(2) : 0,
    downloads: times(0.4, 4, damage),
    rotations: times(0.3, 2, () => ({ at: time(), of: secrets[random.below(secrets.length)] ?? 'upload key' })),
    ...(chance(0.4) && { interruptedPosts: upTo(2), pageSize: 1 }),
    ...(chance(0.08) && { insights: 'basic' as const }),
    ...(drawn.events && chance(0.15) && { events: { ...drawn.events, latest: 3_600 * upTo(4) } }),
    ...(chance(0.3) && { invokedTwice: random.next() * 0.3 }),
    ...(chance(0.3) && { clockSkew: random.below(2 * MAX_SKEW + 1) - MAX_SKEW }),
    deployments: times(0.25, 2, time),
  }
  return {
    ...more,
    ...(chance(0.6) && { forgetsBroadcasts: true }),
    slowUploads: times(0.2, 3, () => Math.round(60 * (DAY / 60) ** random.next())),
    ...(chance(more.failedUploads > 0 ? 0.4 : 0.05) && { downloads: Array.from({ length: MANY }, damage) }),
    ...(chance(0.2) && { callbacks: true }),
    ...(chance(0.25) && { replacesFile: 'half' }),
  }
}
