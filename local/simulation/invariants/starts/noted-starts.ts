import type { Evidence } from '../evidence.ts'

/** Statuses of shows whose first task, which notes the start, has succeeded. */
const BEGUN: ReadonlySet<string> = new Set(['succeeded', 'degraded', 'cancelled'])

/** Checks that the state of a show has the start of its execution, which says when its schedule has done its work. */
export function notedStarts({ shows }: Pick<Evidence, 'shows'>): string[] {
  return shows.flatMap(({ showId, state, result, startedAt }) => {
    if (!state || !BEGUN.has(result?.status ?? '') || state.closings > 0) return []
    const noted = Date.parse(state.startedAt ?? '')
    if (Math.abs(noted - startedAt) < 1_000) return []
    const at = new Date(startedAt).toISOString()
    return [`the show ${showId.slice(0, 12)} started at ${at}, and at ${state.startedAt ?? 'no time'} by its state`]
  })
}
