/** Limits of a route’s requests: `rate` per second on average, `burst` at once. */
export interface Throttle {
  readonly rate: number
  readonly burst: number
}

/**
 * Creates API Gateway’s token bucket: a function that returns true if a request may pass.
 * @param now returns milliseconds since the epoch
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
