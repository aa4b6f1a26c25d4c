export interface Retries {
  /** Attempts in all, 1 to 10; 3 unless told. */
  readonly attempts: number
  /** Milliseconds; the longest wait before the second attempt, doubled for each further one; 200 unless told. */
  readonly firstDelay: number
  /** Milliseconds; no wait is longer, whatever Retry-After asks for; 20,000 unless told. */
  readonly longestDelay: number
}

export const defaultRetries: Retries = { attempts: 3, firstDelay: 200, longestDelay: 20_000 }

/** How long to wait after the given attempt: exponential with full jitter, but not less than Retry-After asks for. */
export function delayAfter(
  attempt: number,
  { firstDelay, longestDelay }: Retries,
  { retryAfter, now, random }: { retryAfter?: string | undefined; now: number; random: () => number },
): number {
  const jittered = random() * firstDelay * 2 ** (attempt - 1)
  return Math.min(longestDelay, Math.max(jittered, readRetryAfter(retryAfter, now)))
}

/** Milliseconds from a header in seconds or as a date, below 0 when that has gone by; 0 when there is nothing to read. */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(wait) ? wait : 0
}
