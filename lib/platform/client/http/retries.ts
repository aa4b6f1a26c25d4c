/** A retry policy: exponential backoff with full jitter. */
export interface Retries {
  /** Maximum attempts, 1 to 10. @default 3 */
  readonly attempts: number
  /** Maximum milliseconds before the second attempt. They double with each further attempt. @default 200 */
  readonly firstDelay: number
  /** Maximum milliseconds before any attempt. It also limits Retry-After. @default 20000 */
  readonly maxDelay: number
  /** @deprecated Use `maxDelay`. */
  readonly longestDelay?: number
}

export const defaultRetries: Retries = { attempts: 3, firstDelay: 200, maxDelay: 20_000 }

/** Returns the milliseconds to wait after an attempt: exponential with full jitter, and at least Retry-After. */
export function delayAfter(
  attempt: number,
  { firstDelay, maxDelay }: Retries,
  { retryAfter, now, random }: { retryAfter?: string | undefined; now: number; random: () => number },
): number {
  const jittered = random() * firstDelay * 2 ** (attempt - 1)
  return Math.min(maxDelay, Math.max(jittered, readRetryAfter(retryAfter, now)))
}

/** Returns the milliseconds of a header with seconds or a date, which are negative for a past date. @default 0 */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(wait) ? wait : 0
}
