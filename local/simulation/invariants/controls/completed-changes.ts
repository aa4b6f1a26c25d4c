import type { Evidence } from '../evidence.ts'

/** Checks that a control whose effects are in the timeline is done: a repeated request would carry it out again. */
export function completedChanges({ shows }: Pick<Evidence, 'shows'>): string[] {
  return shows.flatMap(({ showId, state }) => {
    const { controls = [], timeline = [] } = state ?? {}
    return controls
      .filter(({ id, done, pending }) => !done && pending === undefined && timeline.some((entry) => entry.id === id))
      .map(({ id }) => `the control ${id} of the show ${showId.slice(0, 12)} was carried out, and is not done`)
  })
}
