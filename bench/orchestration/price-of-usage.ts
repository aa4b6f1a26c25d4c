import { priceOf } from '../prices.ts'
import type { Usage } from './usage.ts'

/** What an invocation is taken to need: one call or two to the platform, three to the bucket. */
export const assumed = { seconds: 0.3, gigabytes: 256 / 1_024 } as const

/** US dollars. */
export const priceOfUsage = ({ transitions, invocations }: Pick<Usage, 'transitions' | 'invocations'>): number =>
  priceOf({
    transition: transitions,
    invocation: invocations,
    gigabyteSecond: invocations * assumed.seconds * assumed.gigabytes,
  })
