import type { Services } from '../../../lib/services.ts'
import { type ApiEvent, type Asked, ok, pageOf } from '../../http/request.ts'

/** `GET /shows`: lists shows, newest first. */
export async function getShows(_event: ApiEvent, { records }: Services, { query }: Asked<'GET /shows'>) {
  const { items, cursor } = await records.listShows(pageOf(query))
  const states = await Promise.all(items.map((showId) => records.readState(showId)))
  const shows = states.flatMap((state) => {
    if (!state) return []
    const { showId, name, status, acceptedAt, liveAt, endedAt } = state
    return { showId, name, status, acceptedAt, liveAt, endedAt }
  })
  return ok({ items: shows, cursor })
}
