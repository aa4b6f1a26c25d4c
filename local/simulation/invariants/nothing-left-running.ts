import type { Seen } from '../environment/resources.ts'
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
 * Invariant 2: when its execution is over and the sweep's time has passed, nothing that a show started still runs. Automatic
 * archives end with their session alone, and are named in the result, but for those of a session that goes on after it was
 * written; dials that are reported unknown are excepted.
 */
export function nothingLeftRunning({ seen, shows }: Evidence): string[] {
  const latest = new Map(seen.map((change) => [change.id, change]))
  const running = [...latest.values()].filter(({ status }) => RUNNING.has(status))
  const results = shows.flatMap(({ result }) => result ?? [])
  const named = new Set(
    results.flatMap(({ automaticArchives = [] }) => automaticArchives.map(({ archiveId }) => archiveId)),
  )
  const isLater = (createdAt: number, sessionId: string) =>
    results.some((result) => result.sessionId === sessionId && Date.parse(result.reportedAt) < createdAt)
  const isExcepted = ({ kind, isAutomatic, id, sessionId, createdAt }: Seen) => {
    if (isAutomatic) return named.has(id) || isLater(createdAt, sessionId)
    if (kind !== 'call') return false
    const { dialIns = [] } = results.find((result) => result.sessionId === sessionId) ?? {}
    return dialIns.some(({ status, callId }) => status === 'unknown' && (callId === undefined || callId === id))
  }
  return running
    .filter((one) => !isExcepted(one))
    .map(({ kind, id, tag, name, status, isAutomatic }) =>
      isAutomatic
        ? `the automatic archive ${id} is ${status} and no result names it`
        : `the ${kind} ${tag ?? name ?? id} is ${status} although nobody runs its show any more`,
    )
}
