import type { Evidence, ShowEvidence } from '../evidence.ts'

/**
 * Checks that the timeline of a show that was live says of each ordered recording and broadcast whether it started or failed to.
 * Shows that were stopped or closed by then may lack some.
 */
export function reportedStarts({ shows }: Pick<Evidence, 'shows'>): string[] {
  return shows.flatMap((show) => {
    const { showId, request, state } = show
    if (!request || !state?.liveAt || state.stopAskedAt || state.closings > 0 || state.gaveUp) return []
    const { recordings, broadcasts } = request.show
    const missing = [
      ...recordings.filter(({ name }) => !isNoted(show, 'recording', name)).map(({ name }) => `recording ${name}`),
      ...broadcasts.filter(({ name }) => !isNoted(show, 'broadcast', name)).map(({ name }) => `broadcast ${name}`),
    ]
    return missing.map((what) => `the show ${showId.slice(0, 12)} was live, and reports no start of the ${what}`)
  })
}

const isNoted = ({ state }: ShowEvidence, kind: 'recording' | 'broadcast', name: string) =>
  state?.timeline.some(
    ({ what, ...one }) => (what === `${kind}.started` || what === `${kind}.failed`) && one.name === name && !one.id,
  )
