import type { Usage } from './usage.ts'

/**
 * List prices in US dollars, US East (N. Virginia), without free tiers, as the pages gave them in November 2026:
 * https://aws.amazon.com/step-functions/pricing/ (standard workflows) and https://aws.amazon.com/lambda/pricing/ (Arm).
 */
export const prices = { transition: 0.025 / 1_000, request: 0.2 / 1_000_000, gigabyteSecond: 0.0000133334 } as const

/** What an invocation is taken to need: one call or two to the platform, three to the bucket. */
export const assumed = { seconds: 0.3, gigabytes: 256 / 1_024 } as const

/** US dollars. */
export function priceOf({ transitions, invocations }: Pick<Usage, 'transitions' | 'invocations'>): number {
  const invocation = prices.request + assumed.seconds * assumed.gigabytes * prices.gigabyteSecond
  return transitions * prices.transition + invocations * invocation
}
