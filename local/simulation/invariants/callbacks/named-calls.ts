import type { PlatformEvent } from '../../../../lib/events/platform-events.ts'
import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

const HANDLING = /^HandleCallback$/
/** Seconds around a callback in which a fault may keep it from being handled. */
const EXCUSED = 300

/**
 * Checks that a show knows each call of its session by its connection once a callback of the platform has named it, also if the
 * answer to the dial was lost: a stop disconnects it by that.
 */
export function namedCalls({
  shows,
  platformEvents,
  failedCalls,
}: Pick<Evidence, 'shows' | 'platformEvents' | 'failedCalls'>): string[] {
  const faults = faultsOf(failedCalls, HANDLING)
  const isStruck = (at: number) => faults.some((one) => Math.abs(one.at - at) <= EXCUSED * 1000)
  const named = platformEvents.flatMap(({ detail }) => {
    const { kind, receivedAt, callback } = detail as PlatformEvent
    if (kind !== 'call' || callback.event !== 'callCreated' || isStruck(Date.parse(receivedAt))) return []
    const { sessionId, call } = callback as { readonly sessionId: string; readonly call: { connectionId: string } }
    return { receivedAt, sessionId, connectionId: call.connectionId }
  })
  return shows.flatMap(({ showId, state }) => {
    const { sessionId, dialIns = [], endedAt } = state ?? {}
    const isAlone = shows.filter((one) => one.state?.sessionId === sessionId).length === 1
    if (sessionId === undefined || !isAlone) return []
    return named
      .filter((one) => one.sessionId === sessionId && (endedAt === undefined || one.receivedAt < endedAt))
      .filter(({ connectionId }) => dialIns.every((one) => one.connectionId !== connectionId))
      .map(({ connectionId }) => `the show ${showId.slice(0, 12)} does not know the call ${connectionId}`)
  })
}
