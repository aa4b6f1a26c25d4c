import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Matches a fault that ends the API, or one of what it stores. Other faults of the platform do not keep it from forgetting a control. */
const OF_API = /\bApi\b(?! -> platform)|\bApi\b.* killed/

/**
 * Checks that a control that failed is forgotten, so that its key can be used again: at the end, each control of a show was carried out,
 * or is continued by the show.
 */
export function forgottenControls({ shows, trace }: Pick<Evidence, 'shows' | 'trace'>): string[] {
  if (exceptionsIn(trace).some(({ line }) => OF_API.test(line))) return []
  return shows.flatMap(({ showId, state }) =>
    (state?.controls ?? [])
      .filter(({ done, pending }) => !done && pending === undefined)
      .map(({ id, at }) => `the show ${showId.slice(0, 12)} keeps the control ${id} of ${at}, which failed`),
  )
}
