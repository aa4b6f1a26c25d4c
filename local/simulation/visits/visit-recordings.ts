import type { Random } from '../scheduling/random.ts'
import type { World } from '../world.ts'
import { below, pathIn, prolonged, tampered, UNKNOWN_CLIP, visitPages } from './visit-pages.ts'
import type { Roles } from './visit-shows.ts'
import { jsonOf, type Visitor } from './visitor.ts'

interface Listed {
  readonly archiveId: string
  readonly createdAt: string
  readonly show?: { readonly showId: string; readonly name: string }
}

interface Shown {
  readonly access: string
  readonly watch: { readonly url: string }
  readonly source: { readonly url: string }
  readonly files: readonly { readonly role: string; readonly url: string }[]
}

/** Recordings that are visited, of a list. */
const MAX_RECORDINGS = 3
/** Milliseconds after which a caller polls the first of them: half of the time for which links to files work. */
const POLLED_AFTER = 1_800_000

/** Visits the list of recordings, by pages and by each filter, and what the API and the watch page show of each. */
export async function visitRecordings(
  { visitor, guests }: Pick<World, 'visitor' | 'guests'>,
  { viewer: as }: Roles,
  random: Random,
): Promise<void> {
  const list = (query: string) => visitPages<Listed>(visitor, `/recordings?${query}`, { as })
  const recordings = await list(`limit=${1 + random.below(10)}`)
  for (const { archiveId } of recordings.slice(0, MAX_RECORDINGS)) await visitRecording(visitor, archiveId, as)
  await pollLater(visitor, guests, recordings[0]?.archiveId, as)
  await list('deleted=true')
  const picked = recordings[random.below(recordings.length)]
  if (picked) await visitFilters(list, picked, random)
}

/** Visits the list with each filter, by what one of the recordings has. */
async function visitFilters(
  list: (query: string) => Promise<unknown>,
  { createdAt, show }: Listed,
  random: Random,
): Promise<void> {
  const limit = 1 + random.below(4)
  await list(`limit=${limit}&from=${encodeURIComponent(createdAt)}`)
  await list(`limit=${limit}&to=${encodeURIComponent(createdAt)}`)
  if (!show) return
  await list(`limit=${limit}&showId=${show.showId}`)
  await list(`limit=${limit}&name=${encodeURIComponent(show.name.toUpperCase())}`)
}

/** Polls a recording and the list again for new links (docs/showrunner-api.json), since those that the caller has soon expire. */
async function pollLater(
  { get }: Visitor,
  guests: World['guests'],
  archiveId: string | undefined,
  as: string,
): Promise<void> {
  if (archiveId === undefined) return
  const later = guests.later(POLLED_AFTER)
  for (const address of [`/recordings/${archiveId}`, '/recordings?limit=1']) {
    const { headers } = await get(address, { as, expects: 200 })
    await later.get(address, { as, known: String(headers.etag), expects: 200 })
  }
}

async function visitRecording(visitor: Visitor, archiveId: string, as: string): Promise<void> {
  const { get } = visitor
  const path = `/recordings/${archiveId}`
  const shown = jsonOf<Shown>(await get(path, { as, expects: 200 }))
  if (!shown) return
  await get(path, { as, known: '*', expects: 304 })
  const isPublic = shown.access === 'public'
  await get(`/public${path}`, { expects: isPublic ? 200 : 404 })
  const clips = jsonOf<{ items: readonly { clipId: string }[] }>(await get(`${path}/clips`, { as, expects: 200 }))
  for (const { clipId } of clips?.items ?? []) await visitClip(visitor, `${path}/clips/${clipId}`, as)
  await get(`${path}/clips/${UNKNOWN_CLIP}`, { as, expects: 404, says: 'unknown-clip' })
  await get(shown.source.url, { expects: 200 })
  const byRole = Map.groupBy(shown.files, ({ role }) => role)
  for (const [role, [file]] of byRole) {
    if (!file) continue
    if (role === 'hls') await visitPlaylist(visitor, pathIn(file.url))
    else await get(file.url, { expects: 200 })
  }
  await visitWatched(visitor, { link: shown.watch.url, isPublic, hasPoster: byRole.has('poster') })
}

async function visitWatched(
  { get }: Visitor,
  { link, isPublic, hasPoster }: { readonly link: string; readonly isPublic: boolean; readonly hasPoster: boolean },
): Promise<void> {
  const address = below(link, 'recording')
  await get(address, { expects: 200 })
  const poster = await get(below(link, 'poster'), { expects: hasPoster ? 302 : 404 })
  if (poster.headers.location) await get(poster.headers.location, { expects: 200 })
  const [path = ''] = address.split('?')
  await get(path, { expects: isPublic ? 200 : 403 })
  if (isPublic) return
  await get(tampered(address), { expects: 403 })
  await get(prolonged(address), { expects: 403 })
}

async function visitClip({ get }: Visitor, path: string, as: string): Promise<void> {
  const clip = jsonOf<{ watch?: { url: string } }>(await get(path, { as, expects: 200 }))
  if (clip?.watch) await get(below(clip.watch.url, 'recording'), { expects: 200 })
}

/** Visits a playlist and the first of what it names, down to a segment. */
async function visitPlaylist(visitor: Visitor, address: string): Promise<void> {
  const { status, answer } = await visitor.get(address, { expects: 200 })
  if (status !== 200) return
  const uris = answer.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const [first] = uris
  if (first === undefined) return
  if (first.includes('/playlist?')) return visitPlaylist(visitor, pathIn(first))
  await visitor.get(first, { expects: 200 })
}
