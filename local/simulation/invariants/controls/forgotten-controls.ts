import type { Evidence } from '../evidence.ts'

/** Matches faults that end a function. */
const ENDING = /^(killed|crashed|timed out)/

/**
 * Checks that a control that failed is forgotten, so that its key can be used again: at the end, each control of a show was
 * carried out, or is continued by the show. A fault that ends the API, or that strikes its records, may keep a control.
 */
export function forgottenControls({ shows, failedCalls }: Pick<Evidence, 'shows' | 'failedCalls'>): string[] {
  const isExcused = failedCalls.some(
    ({ caller, operation, kind }) =>
      operation === 'lambda Api' || (caller === 'Api' && (ENDING.test(kind) || !operation.startsWith('platform '))),
  )
  if (isExcused) return []
  return shows.flatMap(({ showId, state }) =>
    (state?.controls ?? [])
      .filter(({ done, pending }) => !done && pending === undefined)
      .map(({ id, at }) => `the show ${showId.slice(0, 12)} keeps the control ${id} of ${at}, which failed`),
  )
}
