import type { Clock, Timer } from '../../../../lib/clock.ts'
import { divide, headerOf, headersFrom, parseParameters } from '../messages/headers.ts'
import { type Header, type SipMessage, SipSyntaxError } from '../messages/message.ts'

/** Seconds between refreshes that this side asks for (RFC 4028 recommends half an hour). */
const INTERVAL = 1_800
/** Shortest interval in seconds that RFC 4028 allows. */
export const MIN_INTERVAL = 90

/** Refreshes a session in time, or notices that the peer does not (RFC 4028). */
export type SessionTimer = ReturnType<typeof createSessionTimer>

/** Creates the session timer of one call. Times go through the clock. */
export function createSessionTimer(clock: Clock, on: { refresh(): void; expired(): void }) {
  let interval = INTERVAL
  let min: number | undefined
  let isOurs = true
  let isActive = false
  const timers: Timer[] = []
  const stop = () => {
    for (const timer of timers.splice(0)) timer.cancel()
  }
  const start = () => {
    stop()
    isActive = true
    const now = clock.now()
    // The session ends with time left for the BYE (RFC 4028, 10).
    timers.push(clock.at(now + (interval - Math.min(32, interval / 3)) * 1000, on.expired))
    if (isOurs) timers.push(clock.at(now + (interval / 2) * 1000, on.refresh))
  }
  return {
    stop,
    /** Returns the fields of an INVITE, re-INVITE or UPDATE. `isRefresh` keeps the refresher that was agreed. */
    offer: (isRefresh = false): Header[] =>
      headersFrom({
        'Session-Expires': `${interval}${isRefresh && isActive ? `;refresher=${isOurs ? 'uac' : 'uas'}` : ''}`,
        'Min-SE': min === undefined ? undefined : String(min),
      }),
    /** Takes the interval that a 422 asks for. Returns false if it does not ask for a longer one. */
    raise(response: SipMessage): boolean {
      const asked = Number(/^\d+/.exec(headerOf(response, 'Min-SE') ?? '')?.[0] ?? 0)
      if (asked <= interval || asked > 86_400) return false
      interval = asked
      min = asked
      return true
    },
    /** Takes the answer to a request of this side. Without Session-Expires the session has no timer. */
    agreed(response: SipMessage): void {
      const { seconds, refresher } = sessionExpiresOf(response)
      stop()
      isActive = false
      if (seconds === undefined) return
      interval = Math.max(seconds, MIN_INTERVAL)
      isOurs = refresher !== 'uas'
      start()
    },
    /** Returns the fields of the 2xx to a request of the peer, or undefined if its interval is too short. */
    answer(request: SipMessage): Header[] | undefined {
      const { seconds, refresher } = sessionExpiresOf(request)
      if (seconds === undefined) {
        if (isActive) start()
        return []
      }
      if (seconds < MIN_INTERVAL) return undefined
      interval = seconds
      // The peer is the client of this request.
      isOurs = refresher === 'uas'
      start()
      const name = isOurs ? 'uas' : 'uac'
      return headersFrom({ Require: isOurs ? undefined : 'timer', 'Session-Expires': `${seconds};refresher=${name}` })
    },
  }
}

function sessionExpiresOf(message: SipMessage): { seconds?: number; refresher?: string | undefined } {
  try {
    const [seconds = '', ...rest] = divide(headerOf(message, 'Session-Expires') ?? '', ';')
    if (!/^\d{1,9}$/.test(seconds)) return {}
    return { seconds: Number(seconds), refresher: parseParameters(rest).get('refresher')?.toLowerCase() }
  } catch (error) {
    if (error instanceof SipSyntaxError) return {}
    throw error
  }
}
