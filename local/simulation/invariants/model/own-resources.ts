import type { TraceEntry } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Calls that change an archive or a broadcast. */
const CHANGES = /^platform (stopArchive|stopBroadcast|set(Archive|Broadcast)Layout|change(Archive|Broadcast)Streams)$/
/** Seconds for which a call may be delayed: its function may work for another show by then. */
const DELAY = 120

/** Checks that a function changes only archives and broadcasts of the show for which it works. Shows may share a session. */
export function ownResources({
  trace,
  statusChanges,
  failedCalls,
}: Pick<Evidence, 'trace' | 'statusChanges' | 'failedCalls'>): string[] {
  const tags = new Map(statusChanges.map(({ id, tag }) => [id, tag]))
  const delayed = failedCalls.filter(({ kind, operation }) => kind === 'delayed' && CHANGES.test(operation))
  const isDelayed = (at: number) => delayed.some((one) => one.at <= at && one.at >= at - DELAY * 1000)
  return trace.flatMap(({ call, show, at }: TraceEntry) => {
    if (!call?.path || show === undefined || !CHANGES.test(call.name)) return []
    const tag = call.path.split('/').flatMap((id) => tags.get(id) ?? [])[0]
    if (tag === undefined || tag.split('/')[0] === show || isDelayed(at)) return []
    return [`${call.caller} called ${call.name} of ${tag} for the show ${show.slice(0, 12)}`]
  })
}
