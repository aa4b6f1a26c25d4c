import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { credentialsOf, watchPath } from '../../../lib/api/watch-routes.ts'
import type { WatchedShow } from '../../../lib/api/watched-show.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../../lib/services.ts'
import { joinedId } from '../../../lib/show/document/fields/names.ts'
import { startInstant } from '../../../lib/show/document/start-times.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import { isTerminal, type ShowState } from '../../../lib/show/state/state.ts'
import { protection } from '../../http/problem.ts'
import { admitToShow, type ShowVisit } from './admit-to-show.ts'

type Reading = Pick<Services, 'records' | 'watchLinks' | 'clock'>

/** Milliseconds after the end of a show in which the page waits for recordings that are not there. */
const PUBLISHING_MS = 86_400_000

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
  const state = await services.records.readState(showId)
  const startsAt = show.start && startInstant(show.start)
  const phase = phaseOf(state)
  const recordings = phase === 'after' && state ? await recordingsOf(visit, state, services) : []
  const endedAt = Date.parse(state?.endedAt ?? '')
  return {
    showId,
    phase,
    startsAt: phase === 'before' && startsAt !== undefined ? new Date(startsAt).toISOString() : null,
    cover: show.page.cover ?? null,
    accentColor: show.page.accentColor ?? null,
    live: phase === 'live' && state ? liveOf(state, visit.request) : null,
    recordings: recordings.flatMap(({ name, path }) => (path === undefined ? [] : { name, path })),
    isPublishing: recordings.some(({ isAwaited }) => isAwaited) && services.clock.now() < endedAt + PUBLISHING_MS,
  }
}

function phaseOf(state: ShowState | undefined): WatchedShow['phase'] {
  if (!state || ['scheduled', 'starting', 'waiting'].includes(state.status)) return 'before'
  return isTerminal(state.status) ? 'after' : 'live'
}

/** Returns the part that runs of the first broadcast that browsers can play. */
function liveOf({ broadcasts }: ShowState, { show }: ShowRequest): WatchedShow['live'] {
  const running = broadcasts.filter(({ hls, problem, status }) => hls && !problem && status !== 'stopped')
  const current = running.findLast(({ name }) => name === running[0]?.name)
  if (!current?.hls) return null
  const order = current.order ?? show.broadcasts.find(({ name }) => name === current.name)
  return { playlist: current.hls, dvr: order?.hls?.dvr ?? false, lowLatency: order?.hls?.lowLatency ?? false }
}

interface Shown {
  readonly name: string
  readonly path: string | undefined
  readonly isAwaited: boolean
}

/** Returns the recordings, each as one if its parts are joined. */
async function recordingsOf(visit: ShowVisit, { recordings }: ShowState, services: Reading): Promise<Shown[]> {
  const names = [...new Set(recordings.map(({ name }) => name))]
  const shown = names.map(async (name) => {
    const archives = recordings.flatMap((one) => (one.name === name && one.archiveId ? one.archiveId : []))
    const [first] = archives
    const joined = archives.length > 1 && first ? await services.records.readManifest(joinedId(first)) : undefined
    if (joined) return [await show(name, joined)]
    const parts = archives.map(async (archiveId, index) => {
      const manifest = await services.records.readManifest(archiveId)
      return show(archives.length > 1 ? `${name}, part ${index + 1}` : name, manifest)
    })
    return Promise.all(parts)
  })
  return (await Promise.all(shown)).flat()

  async function show(name: string, manifest: Manifest | undefined): Promise<Shown> {
    if (!manifest) return { name, path: undefined, isAwaited: true }
    return { name, path: await pathOf(manifest, visit, services), isAwaited: false }
  }
}

/** Returns the path of a recording's page. Links to a show lead to no recording that failed, or whose links were revoked. */
async function pathOf(
  { archiveId, status, access, epoch }: Manifest,
  { expires }: ShowVisit,
  { watchLinks }: Pick<Services, 'watchLinks'>,
): Promise<string | undefined> {
  if (status === 'failed') return undefined
  if (access === 'public') return watchPath(archiveId)
  if (epoch !== undefined || expires === undefined) return undefined
  return watchPath(archiveId, credentialsOf(await watchLinks.grantUntil(archiveId, expires)))
}
