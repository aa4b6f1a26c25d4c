import { priceOf } from '../prices.ts'
import type { Usage } from './usage.ts'

/** Assumed duration and memory of an invocation, with up to two calls of the platform and three of the bucket. */
export const assumed = { seconds: 0.3, gigabytes: 256 / 1_024 } as const

/** Returns the price of a usage in US dollars. */
export const priceOfUsage = ({ transitions, invocations }: Pick<Usage, 'transitions' | 'invocations'>): number =>
  priceOf({
    transition: transitions,
    invocation: invocations,
    gigabyteSecond: invocations * assumed.seconds * assumed.gigabytes,
  })
