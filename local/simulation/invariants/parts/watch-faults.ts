import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** The evidence by which the watching of shows is judged: what ran, and the faults that may have delayed it. */
export type WatchEvidence = Pick<Evidence, 'shows' | 'statusChanges' | 'trace' | 'failedCalls'>

/** Functions and executions that watch a show, after it went live, and start its next parts. */
const WATCHING = /^(GoLive|WatchShow|RollOver|execution watch)$/
/** Faults beside calls that hide what runs, or that interrupt the watching. */
export const interruptions: ReadonlySet<string> = new Set(['restart', 'suspension', 'aborted execution'])
/** Kinds of faults after which nothing runs that could continue. */
const EMPTYING = 'exodus'
/** Requests that move the end of a show, or pause a recording. */
const MOVES = /^api (PATCH|POST .*\/(pause|resume|stop)$)/

/** Returns the times of faults that may delay what a watched show does. */
export const watchFaultsIn = ({ trace, failedCalls }: Pick<Evidence, 'trace' | 'failedCalls'>): number[] => [
  ...exceptionsIn(trace)
    .filter(({ fault = '' }) => interruptions.has(fault) || fault === EMPTYING)
    .map(({ at }) => at),
  ...faultsOf(failedCalls, WATCHING).map(({ at }) => at),
]

/** Returns the times of these faults, and of requests that change the show. */
export const hindrancesIn = (evidence: Pick<Evidence, 'trace' | 'failedCalls'>): number[] => [
  ...watchFaultsIn(evidence),
  ...evidence.trace.filter(({ call }) => MOVES.test(call?.name ?? '')).map(({ at }) => at),
]

/** Returns the ids of broadcasts that the platform denied to know, as it does once they were stopped. Such a failure is not seen. */
export const deniedBroadcastsIn = (trace: Evidence['trace']): ReadonlySet<string> =>
  new Set(
    trace
      .filter(({ refused }) => refused?.name === 'platform getBroadcast' && refused.status === 404)
      .map(({ refused }) => refused?.path?.split('/').at(-1) ?? ''),
  )

/** Returns the times at which participants joined or left. A show that they leave ends its parts. */
export const movesIn = (trace: Evidence['trace']): number[] =>
  trace.filter(({ call }) => /^platform (join|leave)Session$/.test(call?.name ?? '')).map(({ at }) => at)

/** A time at which something is due, in milliseconds since the epoch. */
interface Due {
  readonly from: number
  readonly due: number
  /** Seconds for which one fault may delay it, also one as long before. */
  readonly seconds: number
}

/** Returns the latest time of what is due: each fault until then delays it further. */
export const latestAfter = (faults: readonly number[], { from, due, seconds }: Due): number =>
  faults
    .filter((at) => at >= from - seconds * 1000)
    .toSorted((one, other) => one - other)
    .reduce((latest, at) => (at <= latest ? Math.max(latest, at + seconds * 1000) : latest), due)
