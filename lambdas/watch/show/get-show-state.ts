import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { WatchedShow } from '../../../lib/api/watched-show.ts'
import type { Services } from '../../../lib/services.ts'
import { startInstant } from '../../../lib/show/document/starts/start-times.ts'
import { protection } from '../../http/problem.ts'
import { admitToShow, type ShowVisit } from './admit-to-show.ts'
import { describeSeries } from './describe-series.ts'
import { linksTo, liveOf, phaseOf, type ShowProgress } from './show-progress.ts'
import { recordingsOf } from './show-recordings.ts'

type Reading = Pick<Services, 'records' | 'watchLinks' | 'clock'>

/** `GET /watch/show/{id}/state`: returns what the page polls. It is the same, and so has the same ETag, until the show changes. */
export async function getShowState(
  event: APIGatewayProxyEventV2,
  services: Reading,
): Promise<APIGatewayProxyStructuredResultV2> {
  const body = JSON.stringify(await describeShow(await admitToShow(event, services), services))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { 'content-type': 'application/json', etag, 'cache-control': 'no-cache', ...protection }
  const known = event.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  return known ? { statusCode: 304, headers } : { statusCode: 200, headers, body }
}

async function describeShow(visit: ShowVisit, services: Reading): Promise<WatchedShow> {
  const { showId, show } = visit.request
  const { start } = show
  const series = start && 'cron' in start ? start : undefined
  return {
    showId,
    isSeries: series !== undefined,
    cover: show.page.cover ?? null,
    accentColor: show.page.accentColor ?? null,
    ...(series ? await describeSeries(visit, series, services) : await describeSingle(visit, services)),
  }
}

async function describeSingle(visit: ShowVisit, services: Reading): Promise<ShowProgress> {
  const { showId, show } = visit.request
  const state = await services.records.readState(showId)
  const phase = phaseOf(state)
  const startsAt = phase === 'before' && show.start ? startInstant(show.start) : undefined
  const recordings = phase === 'after' && state ? await recordingsOf(visit, state, services) : []
  return {
    phase,
    startsAt: startsAt === undefined ? null : new Date(startsAt).toISOString(),
    live: phase === 'live' && state ? liveOf(state, show) : null,
    recordings: linksTo(recordings, null),
    isPublishing: recordings.some(({ isAwaited }) => isAwaited),
  }
}
