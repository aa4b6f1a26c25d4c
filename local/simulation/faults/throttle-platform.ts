import type { Decide } from './fault.ts'

/**
 * Adds a platform that answers 429 to more than a number of calls within a second.
 * @param decide decides the faults of the other calls
 */
export function throttlePlatform(callsPerSecond: number, decide: Decide): Decide {
  /** Times of the calls that were answered last, in milliseconds since the epoch. */
  const answered: number[] = []
  return (call) => {
    if (call.target !== 'platform') return decide(call)
    while ((answered[0] ?? Number.POSITIVE_INFINITY) <= call.now - 1_000) answered.shift()
    if (answered.length >= callsPerSecond) return { kind: '429' }
    answered.push(call.now)
    return decide(call)
  }
}
