import type { Evidence, ShowEvidence } from '../evidence.ts'

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

/**
 * Checks that a result calls no recording or broadcast lost that runs: a start whose answer is lost is adopted. A second
 * fault within a minute may prevent that.
 */
export function adoptedStarts({
  shows,
  statusChanges,
  trace,
}: Pick<Evidence, 'shows' | 'statusChanges' | 'trace'>): string[] {
  const faults = trace.filter(({ fault }) => fault !== undefined && !LASTING.has(fault)).map(({ at }) => at)
  return shows.flatMap((show) =>
    unstarted(show).flatMap(({ kind, tag }) => {
      const start = statusChanges.find((one) => one.kind === kind && one.tag === tag && one.status === 'started')
      if (!start || start.at >= Date.parse(show.result?.reportedAt ?? '')) return []
      const around = faults.filter((at) => at >= start.at - ADOPTION * 1000 && at <= start.at + ADOPTION * 1000)
      return around.length > 1 ? [] : [`the ${kind} ${tag} was started, and its show calls it lost`]
    }),
  )
}

/** Returns the parts that a result names without an id. */
const unstarted = ({ result }: ShowEvidence) => [
  ...(result?.recordings ?? [])
    .filter(({ archiveId, problem }) => archiveId === undefined && problem !== undefined)
    .map(({ tag }) => ({ kind: 'archive', tag })),
  ...(result?.broadcasts ?? [])
    .filter(({ broadcastId, problem }) => broadcastId === undefined && problem !== undefined)
    .map(({ tag }) => ({ kind: 'broadcast', tag })),
]
