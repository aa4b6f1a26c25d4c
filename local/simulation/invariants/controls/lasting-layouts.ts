import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'
import { partRunsOf } from '../parts/part-runs.ts'
import { interruptions } from '../parts/watch-faults.ts'
import { type AskedLayout, layoutChangesIn, wordsOf } from '../requests/layout-changes.ts'

type Seen = Pick<Evidence, 'shows' | 'statusChanges' | 'layouts' | 'apiRequests' | 'trace' | 'failedCalls'>

/** Seconds that a part runs after a change, so that the change must have reached it. */
const REACHED = 90

/**
 * Checks that the last change of a layout is drawn by every part that runs after it: also by one that was about to start when the
 * change was asked for. A cue may change a layout later, and a fault may delay a change.
 */
export function lastingLayouts({ shows, statusChanges, layouts, apiRequests, trace, failedCalls }: Seen): string[] {
  const faults = [
    ...trace.filter(({ fault }) => interruptions.has(fault ?? '')).map(({ at }) => at),
    ...faultsOf(failedCalls, /./).map(({ at }) => at),
  ]
  return shows.flatMap(({ showId, request }) => {
    const changes = layoutChangesIn(apiRequests, showId)
    const cues = request?.show.cues ?? []
    return (['archive', 'broadcast'] as const).flatMap((kind) =>
      partRunsOf(showId, kind, statusChanges).flatMap(({ id, name, part, from, to }) => {
        const isOf = (one: Pick<AskedLayout, 'recording' | 'broadcast'>) =>
          (kind === 'archive' ? one.recording : one.broadcast) === name
        const last = changes.filter((one) => isOf(one) && one.askedAt < to).at(-1)
        const begun = Math.max(from, last?.askedAt ?? 0)
        const isStruck = faults.some((at) => at >= (last?.askedAt ?? 0) - REACHED * 1000 && at <= to)
        if (last?.status !== 200 || cues.some(isOf) || isStruck || to < begun + REACHED * 1000) return []
        const drawn = layouts.filter((one) => one.id === id).at(-1)?.layout
        return drawn && wordsOf(drawn) !== wordsOf(last.layout)
          ? [`part ${part} of ${name} is drawn as ${wordsOf(drawn)}, and ${wordsOf(last.layout)} was ordered last`]
          : []
      }),
    )
  })
}
