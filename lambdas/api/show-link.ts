import {
  credentialsOf,
  SERIES_LINK_SECONDS,
  showPath,
  showSubject,
  WATCH_LINK_SECONDS,
} from '../../lib/api/watch-routes.ts'
import type { Services } from '../../lib/services.ts'
import { maxSecondsOf } from '../../lib/show/document/duration.ts'
import { endOfSeries } from '../../lib/show/document/series.ts'
import type { StartOrder } from '../../lib/show/document/starts/start.ts'
import { startInstant } from '../../lib/show/document/starts/start-times.ts'
import type { ShowRequest } from '../../lib/show/state/request.ts'
import type { ApiEvent } from '../http/request.ts'
import { watchOriginOf } from '../http/watch-origin.ts'

/**
 * Returns the link to the page of a show, on which viewers wait for it, see it live, and find its recordings. A signed link
 * works for a day after the planned end, or from now once that has passed. A link to a series works for a year, or until a day
 * after its last day.
 */
export async function linkToShow(
  { showId, show }: ShowRequest,
  event: ApiEvent,
  services: Pick<Services, 'watchLinks' | 'clock' | 'variable'>,
): Promise<{ url: string; expiresAt?: string }> {
  const origin = watchOriginOf(event, services)
  if (show.publish.access === 'public') return { url: origin + showPath(showId) }
  const now = services.clock.now()
  const end = Math.ceil(lastStart(show.start, now) / 1000) + maxSecondsOf(show) + WATCH_LINK_SECONDS
  // Whole hours, so that a repeated request is answered with the same link.
  const grant = await services.watchLinks.grantUntil(showSubject(showId), Math.ceil(end / 3_600) * 3_600)
  return {
    url: origin + showPath(showId, credentialsOf(grant)),
    expiresAt: new Date(grant.expires * 1000).toISOString(),
  }
}

/** Returns the latest start that a link has to reach, in milliseconds since the epoch. */
function lastStart(start: StartOrder | undefined, now: number): number {
  if (!start) return now
  if ('at' in start) return Math.max(now, startInstant(start) ?? now)
  return Math.max(now, Math.min(endOfSeries(start) ?? Number.POSITIVE_INFINITY, now + SERIES_LINK_SECONDS * 1000))
}
