import type { Evidence } from '../evidence.ts'

/**
 * Checks the markers that were requested while shows were live: each control sets one, however often it is posted, and
 * the timeline reports each one that is set. None is after the planned end, which a later request may have moved.
 */
export function markersOnce({ shows, apiRequests }: Pick<Evidence, 'shows' | 'apiRequests'>): string[] {
  return shows.flatMap(({ showId, state }) => {
    const { markers = [], timeline = [], liveAt, plannedEndAt } = state ?? {}
    const isMoved = apiRequests.some(({ method, path }) => method === 'PATCH' && path === `/shows/${showId}`)
    const set = Map.groupBy(markers, ({ id }) => id)
    const reported = new Set(timeline.filter(({ what }) => what === 'control.marker').map(({ id }) => id))
    return [
      ...[...set]
        .filter(([, same]) => same.length > 1)
        .map(([id, same]) => `has ${same.length} markers of control ${id}`),
      ...[...set.keys()].filter((id) => !reported.has(id)).map((id) => `does not report the marker of control ${id}`),
      ...[...reported]
        .filter((id) => id === undefined || !set.has(id))
        .map((id) => `reports no marker of control ${id}`),
      ...markers
        .filter(({ at }) => liveAt === undefined || at < liveAt)
        .map(({ at }) => `has a marker at ${at}, before it was live`),
      ...markers
        .filter(({ at }) => !isMoved && plannedEndAt !== undefined && at >= plannedEndAt)
        .map(({ at }) => `has a marker at ${at}, after its end`),
    ].map((problem) => `the show ${showId.slice(0, 12)} ${problem}`)
  })
}
