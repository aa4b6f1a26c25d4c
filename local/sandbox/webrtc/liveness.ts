import type { Clock, Timer } from '../../../lib/clock.ts'

/** Milliseconds within which a peer must connect. */
const MAX_CONNECTING = 10_000
/** Milliseconds without any packet after which a peer is lost. Browsers check every few seconds (RFC 7675), media arrives more often. */
const MAX_SILENCE = 20_000
/** Milliseconds between two checks. */
const INTERVAL = 1_000

/** Finds out that nothing arrives from a peer any more. */
export interface Liveness {
  /** Records that something has arrived. */
  touch(): void
  /** Records that the connection is established. */
  connected(): void
  stop(): void
}

/** Calls `onLost` once, when a peer does not connect in time or falls silent. */
export function createLiveness(clock: Clock, onLost: () => void): Liveness {
  let heardAt = clock.now()
  let patience = MAX_CONNECTING
  let timer: Timer
  const check = () => {
    if (clock.now() - heardAt >= patience) return onLost()
    timer = clock.at(clock.now() + INTERVAL, check)
  }
  timer = clock.at(clock.now() + INTERVAL, check)
  return {
    touch() {
      if (patience === MAX_SILENCE) heardAt = clock.now()
    },
    connected() {
      patience = MAX_SILENCE
      heardAt = clock.now()
    },
    stop: () => timer.cancel(),
  }
}
