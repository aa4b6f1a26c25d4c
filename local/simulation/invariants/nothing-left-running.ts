import type { TimedStatusChange } from '../environment/watch-resources.ts'
import { couldBeSeen } from './could-be-seen.ts'
import type { Evidence } from './evidence.ts'

const RUNNING: ReadonlySet<string> = new Set([
  'starting',
  'started',
  'paused',
  'DIALING',
  'RINGING',
  'ACTIVE',
  'ON_HOLD',
])

/**
 * Checks that nothing of a show runs once its execution is over and the sweep’s time has passed. Excepted are dials
 * reported as unknown, and automatic archives, which end with their session only: the result names those that the platform
 * listed before it.
 */
export function nothingLeftRunning(evidence: Evidence): string[] {
  const { statusChanges, shows } = evidence
  const latest = new Map(statusChanges.map((change) => [change.id, change]))
  const running = [...latest.values()].filter(({ status }) => RUNNING.has(status))
  const results = shows.flatMap(({ result }) => result ?? [])
  const named = new Set(
    results.flatMap(({ automaticArchives = [] }) => automaticArchives.map(({ archiveId }) => archiveId)),
  )
  const isLater = (createdAt: number, sessionId: string) =>
    results.some((result) => result.sessionId === sessionId && Date.parse(result.reportedAt) < createdAt)
  const isExcepted = ({ kind, isAutomatic, id, sessionId, createdAt }: TimedStatusChange) => {
    if (isAutomatic) return named.has(id) || isLater(createdAt, sessionId) || !couldBeSeen(id, evidence)
    if (kind !== 'call') return false
    const { dialIns = [] } = results.find((result) => result.sessionId === sessionId) ?? {}
    return dialIns.some(({ status, callId }) => status === 'unknown' && (callId === undefined || callId === id))
  }
  return running
    .filter((one) => !isExcepted(one))
    .map(({ kind, id, tag, name, status, isAutomatic }) =>
      isAutomatic
        ? `the automatic archive ${id} is ${status} and no result names it`
        : `the ${kind} ${tag ?? name ?? id} is ${status} although no execution runs its show`,
    )
}
