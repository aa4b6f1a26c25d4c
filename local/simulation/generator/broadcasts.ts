import { limits } from '../../../lib/platform/contract/limits.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Draws } from './draws.ts'
import { randomComposition } from './layouts.ts'
import { randomNames } from './names.ts'
import { randomReference } from './secrets.ts'

export type Broadcast = NonNullable<ShowDocument['broadcasts']>[number]

const MIN = limits.broadcastDurationMin.value
const MAX = limits.broadcastDurationMax.value

/** Draws up to five broadcasts, mostly none or one. */
export function randomBroadcasts(draws: Draws, duration: number): Broadcast[] {
  const count = draws.oneOf([0, 1, 1, 1, 2, 3, 5])
  return randomNames(draws, count).map((name) => randomBroadcast(draws, name, duration))
}

/** Draws a broadcast by HLS, RTMP or both that can last as long as the show. */
export function randomBroadcast(draws: Draws, name: string, duration: number): Broadcast {
  const { chance, maybe, oneOf, between } = draws
  const kind = oneOf(['hls', 'rtmp', 'both'] as const)
  const maxDuration = chance(0.4) ? oneOf([between(MIN, MAX), MAX, MAX]) : undefined
  const needsParts = duration > (maxDuration ?? MAX)
  return {
    name,
    ...(kind === 'rtmp' ? maybe(0.2, 'rtmp', () => randomTargets(draws)) : { hls: randomHls(draws) }),
    ...(kind === 'hls' ? maybe(0.1, 'rtmp', () => []) : { rtmp: randomTargets(draws) }),
    ...randomComposition(draws),
    ...(maxDuration !== undefined && { maxDuration }),
    ...(needsParts ? { parts: true } : maybe(0.4, 'parts', () => chance(0.5))),
  }
}

const randomHls = ({ oneOf }: Draws) =>
  oneOf([{}, { dvr: true }, { lowLatency: true }, { dvr: false, lowLatency: true }, { dvr: true, lowLatency: false }])

/** Draws RTMP targets, of which one in ten never answers. */
function randomTargets(draws: Draws): NonNullable<Broadcast['rtmp']> {
  const { chance, oneOf, between } = draws
  return randomNames(draws, oneOf([1, 1, 1, 2, between(3, 5)])).map((id) => ({
    id,
    serverUrl: `${oneOf(['rtmp', 'rtmps'])}://${chance(0.1) ? 'live.invalid' : 'live.example'}/app`,
    streamName: randomReference(draws),
  }))
}
