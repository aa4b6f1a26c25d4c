import { callFaults, invocationFaults } from '../../faults/fault.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** Seconds after a start in which its task looks for it, although a list misses it at first. */
const ADOPTION = 60
/** Faults that last for a whole simulation. A start is adopted in spite of them. */
const LASTING: ReadonlySet<string> = new Set([
  'lagging lists',
  'clock skew',
  'interrupted post',
  'event twice',
  'event late',
  'invoked twice',
])

/** Faults of calls, which are judged by their callers. */
const OF_CALLS: ReadonlySet<string> = new Set([...callFaults, ...invocationFaults])
/** Tasks that start recordings and broadcasts. */
const STARTING = /^(StartRecording|StartBroadcast|RollOver|CheckAudience)$/

/**
 * Checks that no recording or broadcast that runs is called lost by a result, or failed by an event: a start whose answer is lost
 * is adopted. A second fault of a starting task or beside calls may prevent that within a minute.
 */
export function adoptedStarts({
  shows,
  statusChanges,
  trace,
  failedCalls,
}: Pick<Evidence, 'shows' | 'statusChanges' | 'trace' | 'failedCalls'>): string[] {
  const isBesideCalls = (fault: string | undefined) =>
    fault !== undefined && !LASTING.has(fault) && !OF_CALLS.has(fault)
  const faults = [...trace.filter(({ fault }) => isBesideCalls(fault)), ...faultsOf(failedCalls, STARTING)].map(
    ({ at }) => at,
  )
  return shows.flatMap((show) =>
    [...unstarted(show), ...failedStarts(show)].flatMap(({ kind, tag, what, before }) => {
      const own = statusChanges.filter((one) => one.kind === kind && one.tag === tag)
      const start = own.find(({ status }) => status === 'started')
      if (!start || start.at >= before || own.some(({ status, at }) => status === 'failed' && at <= before)) return []
      const around = faults.filter((at) => at >= start.at - ADOPTION * 1000 && at <= start.at + ADOPTION * 1000)
      return around.length > 1 ? [] : [`the ${kind} ${tag} was started, and its show calls it ${what}`]
    }),
  )
}

interface DoubtfulStart {
  readonly kind: 'archive' | 'broadcast'
  readonly tag: string
  readonly what: 'lost' | 'failed'
  /** Time of the statement, in milliseconds since the epoch. */
  readonly before: number
}

/** Returns the parts that a result names without an id. */
function unstarted({ result }: ShowEvidence): DoubtfulStart[] {
  if (!result) return []
  const said = { what: 'lost' as const, before: Date.parse(result.reportedAt) }
  const lost = (one: { readonly problem?: string | undefined }, id: string | undefined) =>
    id === undefined && one.problem !== undefined
  return [
    ...result.recordings
      .filter((one) => lost(one, one.archiveId))
      .map(({ tag }) => ({ kind: 'archive' as const, tag, ...said })),
    ...result.broadcasts
      .filter((one) => lost(one, one.broadcastId))
      .map(({ tag }) => ({ kind: 'broadcast' as const, tag, ...said })),
  ]
}

/** Returns the parts whose failure was noted while their show was live. */
function failedStarts({ state }: ShowEvidence): DoubtfulStart[] {
  const until = Date.parse(state?.endedAt ?? '')
  return (state?.timeline ?? []).flatMap(({ what, name, part = 1, id, at }) => {
    const kind = what === 'recording.failed' ? 'archive' : what === 'broadcast.failed' ? 'broadcast' : undefined
    const before = Date.parse(at) + 1 // a start may have the same time
    if (!kind || !name || id || !(before < until)) return []
    const resource = kind === 'archive' ? 'recordings' : 'broadcasts'
    const tag = state?.[resource].find((one) => one.name === name && one.part === part)?.tag
    return tag === undefined ? [] : [{ kind, tag, what: 'failed', before } as const]
  })
}
