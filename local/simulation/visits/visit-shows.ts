import type { Random } from '../scheduling/random.ts'
import { below, pathIn, prolonged, tampered, UNKNOWN_CLIP, visitPages } from './visit-pages.ts'
import { jsonOf, type Visitor } from './visitor.ts'

/** Words of the roles, the least first. */
export interface Roles {
  readonly viewer: string
  readonly operator: string
  readonly admin: string
}

interface Listed {
  readonly showId: string
  readonly status: string
  readonly acceptedAt: string
  readonly scheduleId?: string
}

interface Shown {
  readonly result?: object
  readonly document?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly publish?: { readonly access?: string }
    readonly callback?: unknown
  }
  readonly watch?: { readonly url: string }
}

/** Shows that are visited, of a list. */
const MAX_SHOWS = 3
/** Share of the shows whose cost is read, which counts all that they have called. */
const COSTS = 0.5

/** Visits the list of shows, by pages and by each filter, and what the API and the watch page show of each. */
export async function visitShows(visitor: Visitor, roles: Roles, random: Random): Promise<void> {
  const { get } = visitor
  const as = roles.viewer
  const shows = await visitPages<Listed>(visitor, `/shows?limit=${1 + random.below(3)}`, { as })
  for (const { showId, status, acceptedAt, scheduleId } of visitedOf(shows)) {
    await visitShow(visitor, showId, roles)
    if (random.next() < COSTS) await get(`/shows/${showId}/cost`, { as, expects: 200 })
    await visitPages(visitor, `/shows?limit=2&status=${status}`, { as })
    const time = encodeURIComponent(acceptedAt)
    await visitPages(visitor, `/shows?limit=1&from=${time}`, { as })
    await visitPages(visitor, `/shows?limit=1&to=${time}`, { as })
    if (scheduleId !== undefined) await visitPages(visitor, `/shows?limit=2&scheduleId=${scheduleId}`, { as })
  }
  await get('/shows?status=waiting', { as, expects: 200 })
}

/** Returns the newest shows, and the series that started the newest one. */
const visitedOf = (shows: readonly Listed[]): readonly Listed[] =>
  shows.filter(({ showId }, index) => index < MAX_SHOWS || showId === shows[0]?.scheduleId)

/** Visits one show: everything that can be read of it, and its watch page with and without its link. */
export async function visitShow(visitor: Visitor, showId: string, { viewer: as, operator }: Roles): Promise<void> {
  const { get, post } = visitor
  const path = `/shows/${showId}`
  const answer = await get(path, { as, expects: 200 })
  const shown = jsonOf<Shown>(answer)
  if (!shown) return
  await get(path, { as, known: `W/"other", ${answer.headers.etag}`, expects: 304 })
  await get(path, { as, known: '"other"', expects: 200 })
  const { document: { labels = {}, publish, callback } = {}, watch } = shown
  const [label] = Object.entries(labels)
  if (label) await visitPages(visitor, `/shows?limit=2&label=${encodeURIComponent(label.join('='))}`, { as })

  const events = jsonOf<{ cursor: string }>(await get(`${path}/events`, { as, expects: 200 }))
  if (events) await get(`${path}/events?after=${encodeURIComponent(events.cursor)}`, { as, expects: 200 })
  await get(`${path}/events`, { as, accept: 'text/event-stream', expects: 200 })
  await get(`${path}/deliveries?limit=500`, { as, ...(!callback && { expects: 409 }) })
  await get(`${path}/execution`, { as })
  await get(`${path}/quality`, { as, problem: 'no-quality-report' })
  await get(`${path}/streams`, { as })
  const clips = jsonOf<{ items: readonly { clipId: string }[] }>(await get(`${path}/clips`, { as, expects: 200 }))
  for (const { clipId } of clips?.items ?? []) await get(`${path}/clips/${clipId}`, { as, expects: 200 })
  await get(`${path}/clips/${UNKNOWN_CLIP}`, { as, expects: 404, says: 'unknown-clip' })
  const isOver = shown.result !== undefined && { expects: 409 }
  await post(`${path}/tokens`, { as: operator, body: { role: 'subscriber' }, ...isOver })
  const invited = await post(`${path}/invitations`, {
    as: operator,
    body: { role: 'publisher', data: 'Ada' },
    ...isOver,
  })
  const { invitation } = jsonOf<{ invitation: string }>(invited) ?? {}
  if (invitation !== undefined) await post('/public/join', { body: { invitation, data: 'Another name' } })
  if (watch) await visitWatchedShow(visitor, { link: watch.url, isPublic: publish?.access === 'public' })
}

async function visitWatchedShow(
  { get }: Visitor,
  { link, isPublic }: { readonly link: string; readonly isPublic: boolean },
): Promise<void> {
  const address = below(link, 'state')
  const state = await get(address, { expects: 200 })
  await get(address, { known: String(state.headers.etag), expects: 304 })
  const { recordings = [] } = jsonOf<{ recordings: readonly { path: string }[] }>(state) ?? {}
  for (const recording of recordings.slice(0, 2))
    await get(below(pathIn(recording.path), 'recording'), { expects: 200 })
  const [path = ''] = address.split('?')
  await get(path, { expects: isPublic ? 200 : 403 })
  if (isPublic) return
  await get(tampered(address), { expects: 403 })
  await get(prolonged(address), { expects: 403 })
}
