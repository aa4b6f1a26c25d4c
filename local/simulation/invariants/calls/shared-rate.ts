import type { Evidence } from '../evidence.ts'
import { type LimitedCall, limitedCallsIn } from './limited-calls.ts'

/** A function takes the tokens of this part of a second at once, and may use them later. */
const TAKEN_PER_SECOND = 20

/**
 * Checks that functions share the rate of calls once the platform throttles (docs/scale.md): those that have met an answer 429 make no more
 * calls together in a second than the deployment allows, beside the tokens that each has kept.
 */
export function sharedRate({ trace, callsPerSecond }: Pick<Evidence, 'trace' | 'callsPerSecond'>): string[] {
  const calls = limitedCallsIn(trace)
  const kept = Math.ceil(callsPerSecond / TAKEN_PER_SECOND) - 1
  const mostOf = (some: readonly LimitedCall[]) =>
    callsPerSecond + kept * new Set(some.map(({ caller }) => caller)).size
  const second = 1_000 - callsPerSecond // the time of each token is rounded to a millisecond
  let first = 0
  const seconds = calls.map(({ at }, index) => {
    while ((calls[first]?.at ?? at) <= at - second) first++
    return calls.slice(first, index + 1)
  })
  const busiest = seconds.find((some) => some.length > mostOf(some))
  if (!busiest) return []
  const from = new Date(busiest[0]?.at ?? 0).toISOString()
  return [`${busiest.length} calls were made in the second after ${from}, and the platform throttles`]
}
