/** How many requests a route lets through: `rate` a second in the long run, `burst` at once. */
export interface Throttle {
  readonly rate: number
  readonly burst: number
}

/**
 * API Gateway's token bucket: makes a function that says whether a request may pass.
 * @param now milliseconds since the epoch
 */
export function createThrottle({ rate, burst }: Throttle, now: () => number): () => boolean {
  let tokens = burst
  let filled = now()
  return () => {
    tokens = Math.min(burst, tokens + ((now() - filled) / 1000) * rate)
    filled = now()
    if (tokens < 1) return false
    tokens--
    return true
  }
}
