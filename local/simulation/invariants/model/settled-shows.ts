import { keys } from '../../../../lib/show/state/keys.ts'
import { showIdOf } from '../../environment/direct-starts.ts'
import type { Evidence } from '../evidence.ts'

/** Seconds after its report by which a show is settled: no task can be at work any more, and the sweep has run. */
const WITHIN = 1_800
/** Seconds before the end of the simulation in which a fault may delay the sweep. */
const EXCUSED = 2_400

/** Seconds that a task may outlive its execution: the longest timeout of a function. */
const AFTERMATH = 900
const SETTLE = 's3 DeleteObject index/unfinished/'
const AWAIT_USAGE = 's3 PutObject index/usage/'

type Settling = Pick<Evidence, 'shows' | 'objects' | 'executions' | 'trace' | 'now'>

/**
 * Checks that the sweep settles every reported show, however many others its list names, and none while a task of it may still
 * start something. A function can end between any two calls, so a show is added to the list of usage before it leaves that of
 * the sweep.
 */
export const settledShows = (evidence: Settling): string[] => [
  ...unsettled(evidence),
  ...settledEarly(evidence),
  ...settledUnlisted(evidence),
]

function settledUnlisted({ trace }: Settling): string[] {
  const awaited = new Set<string>()
  return trace.flatMap(({ call }) => {
    if (call?.name.startsWith(AWAIT_USAGE) && call.status < 300) awaited.add(call.name.slice(AWAIT_USAGE.length))
    if (!call?.name.startsWith(SETTLE)) return []
    const showId = call.name.slice(SETTLE.length)
    return awaited.has(showId)
      ? []
      : [`the show ${showId.slice(0, 12)} left the list of the sweep before it was in that of usage`]
  })
}

function settledEarly({ executions, trace, now }: Settling): string[] {
  return trace.flatMap(({ call, at }) => {
    if (!call?.name.startsWith(SETTLE)) return []
    const showId = call.name.slice(SETTLE.length)
    const own = executions.filter(({ name }) => showIdOf(name) === showId || name.startsWith(`${showId}-close-`))
    const begun = own.filter(({ startDate }) => startDate.getTime() <= at)
    const over = Math.max(...begun.map(({ stopDate }) => stopDate?.getTime() ?? now))
    return over + AFTERMATH * 1000 > at
      ? [`the show ${showId.slice(0, 12)} was settled ${(at - over) / 1000} s after its last execution`]
      : []
  })
}

function unsettled({ shows, objects, executions, trace, now }: Settling): string[] {
  if (trace.some(({ fault, at }) => fault !== undefined && at >= now - EXCUSED * 1000)) return []
  return shows.flatMap(({ showId, result, state }) => {
    const ends = executions
      .filter(({ machine, name }) => machine === 'show' && name.startsWith(state?.executionName ?? showId))
      .map(({ stopDate }) => stopDate?.getTime() ?? now)
    const over = Math.max(Date.parse(result?.reportedAt ?? ''), ...ends)
    if (!(now - over > WITHIN * 1000)) return []
    const isListed = objects.has(keys.unfinished(showId))
    return isListed ? [`the show ${showId.slice(0, 12)} is over, and still in the list of the sweep`] : []
  })
}
