import type { Evidence } from './evidence.ts'

/** The time in which a participant is in a session, in milliseconds since the epoch. */
export interface Presence {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Returns the presences in a session, by the calls that the platform answered. */
export function presencesIn(trace: Evidence['trace'], sessionId: string): Presence[] {
  const calls = trace.flatMap(({ at, call }) => (call && call.status < 300 ? [{ at, ...call }] : []))
  const isJoin = ({ name, path = '' }: { name: string; path?: string }) =>
    name === 'platform joinSession' && path.includes(sessionId)
  return calls.filter(isJoin).map(({ at, caller }) => {
    const isLeave = ({ name, path = '' }: { name: string; path?: string }) =>
      name === 'platform leaveSession' && path.includes(sessionId)
    const left = calls.find((one) => one.caller === caller && one.at >= at && isLeave(one))
    return { name: caller, from: at, to: left?.at ?? Number.POSITIVE_INFINITY }
  })
}

/** Returns true if some participant is present at each moment of a time. */
export function isAttended(presences: readonly Presence[], { from, to }: Pick<Presence, 'from' | 'to'>): boolean {
  let time = from
  while (time < to) {
    const latest = Math.max(...presences.filter((one) => one.from <= time && one.to > time).map((one) => one.to))
    if (!(latest > time)) return false
    time = latest
  }
  return true
}
