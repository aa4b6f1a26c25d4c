import { keys } from '../../../../lib/show/state/keys.ts'
import type { Evidence } from '../evidence.ts'

/** Seconds after its report by which a show is settled: no task can be at work any more, and the sweep has run. */
const WITHIN = 1_800
/** Seconds before the end of the simulation in which a fault may delay the sweep. */
const EXCUSED = 2_400

/** Checks that the sweep settles every reported show, however many others its list names. */
export function settledShows({
  shows,
  objects,
  executions,
  trace,
  now,
}: Pick<Evidence, 'shows' | 'objects' | 'executions' | 'trace' | 'now'>): string[] {
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
