import type { Evidence, ShowEvidence } from '../evidence.ts'
import { invocationsIn } from '../model/invocations.ts'

/** Error of a start that a show refuses: it is stopped or over, or what is to start is paused or stopped. */
const REFUSED = 'ShowStoppedError'
/** Milliseconds by which an answer may follow the start. */
const SLACK = 2_000

type Seen = Pick<Evidence, 'trace' | 'shows'>

/** Checks that a start is refused only in a show that is stopped, over or paused. */
export function refusedStarts({ trace, shows }: Seen): string[] {
  const byId = new Map(shows.map((show) => [show.showId, show]))
  return invocationsIn(trace).flatMap(({ caller, entries, outcome, at }) => {
    if (outcome !== REFUSED) return []
    const show = byId.get(entries.find((entry) => entry.show !== undefined)?.show ?? '')
    return show === undefined || mayRefuse(show, at)
      ? []
      : [`${caller} refused a start at ${new Date(at).toISOString()}, and its show was neither stopped nor paused`]
  })
}

function mayRefuse({ request, state }: ShowEvidence, at: number): boolean {
  const { stopAskedAt, endedAt, pauses = [], broadcasts = [] } = state ?? {}
  const isOver = [stopAskedAt, endedAt].some((time) => Date.parse(time ?? '') <= at + SLACK)
  const isPaused = pauses.length > 0 || (request?.show.recordings ?? []).some((one) => (one.pauses ?? []).length > 0)
  return isOver || isPaused || broadcasts.some((one) => one.stopAskedAt !== undefined)
}
