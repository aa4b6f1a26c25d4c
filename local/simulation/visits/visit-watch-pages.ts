import { addresses } from '../environment/addresses.ts'
import type { World } from '../world.ts'
import { addressesIn, readPage } from './page-content.ts'
import { visitGoneLinks } from './visit-gone-links.ts'
import { below, pathIn, prolonged, renewed, tampered, UNKNOWN_CLIP, type WatchLink, without } from './visit-pages.ts'
import { jsonOf, type Visit, type Visitor } from './visitor.ts'

/** Pages of one kind that are visited. */
const MAX_PAGES = 2

interface Shown {
  readonly access?: string
  readonly document?: { readonly publish?: { readonly access?: string } }
  readonly watch?: { readonly url: string }
}

/**
 * Visits the watch pages whose links the API has shown to a visitor: of recordings, clips and shows, with and without their
 * links, and through a distribution. It follows every address that a page or its data names.
 */
export async function visitWatchPages({ visitor, guests, observer }: Pick<World, 'visitor' | 'guests' | 'observer'>) {
  const guest = guests.visitor
  const recordings = linksIn(visitor, /^\/recordings\/[^/?]+$/).slice(0, MAX_PAGES)
  const shows = linksIn(visitor, /^\/shows\/[^/?]+$/)
  const clips = linksIn(visitor, /^\/(recordings|shows)\/[^/]+\/clips\/[^/?]+$/).slice(0, MAX_PAGES)
  for (const one of [...recordings, ...shows.slice(0, MAX_PAGES)]) await visitPage(guest, one)
  for (const one of shows) await visitByTwoLinks(guest, observer, one)
  for (const { link } of clips) await visitClipPage(guest, link)
  await visitFiles(guest, visitor)
  await visitGoneLinks(guest, observer, { recording: recordings[0], show: shows[0] })
  const { through, past } = await guests.atFront()
  for (const one of [recordings[0], shows[0]].flatMap((found) => found ?? [])) await visitFront(through, past, one)
}

/** Returns the links in answers at rest. Who may watch a recording is a field of it; who may watch a show, one of its document. */
const linksIn = ({ visits }: Visitor, path: RegExp): WatchLink[] =>
  [...Map.groupBy(visits, ({ address }) => address)]
    .filter(([address]) => path.test(address))
    .flatMap(([, same]) => {
      const found = same.find(({ isAtRest, method, status }) => isAtRest && method === 'GET' && status === 200)
      const { watch, access, document } = (found && jsonOf<Shown>(found)) ?? {}
      return watch ? { link: watch.url, isPublic: (access ?? document?.publish?.access) === 'public' } : []
    })
    .slice(0, MAX_PAGES)

const HTML = 'text/html'
const NOTHING = { accept: HTML, expects: 404, says: 'Nothing to watch here' }

async function visitPage(visitor: Visitor, { link, isPublic }: WatchLink): Promise<void> {
  const { get } = visitor
  const page = await get(pathIn(link), { accept: HTML, expects: 200 })
  await get(below(link, 'embed'), { accept: HTML, expects: 200 })
  await follow(visitor, page)
  const [path = ''] = pathIn(link).split('?')
  const unknown = isPublic ? { expects: 404, says: 'unknown-recording' } : { expects: 403 }
  if (!path.startsWith('/watch/show/')) await get(`${path}/clips/${UNKNOWN_CLIP}/recording`, unknown)
  if (isPublic) return
  const cut = ['expires', 'signature'].map((name) => without(pathIn(link), name))
  for (const address of [
    path,
    `${path}/embed`,
    tampered(pathIn(link)),
    prolonged(pathIn(link)),
    renewed(pathIn(link)),
    ...cut,
  ])
    await get(address, NOTHING)
  await get(`${path}?expires=soon&signature=none`, NOTHING)
}

/** Two viewers visit a show at the same time, by links that end at different times. */
async function visitByTwoLinks(
  { get }: Visitor,
  { watchLinks }: Pick<World['observer'], 'watchLinks'>,
  { link, isPublic }: WatchLink,
): Promise<void> {
  if (isPublic) return
  const { pathname, searchParams } = new URL(link)
  const expires = Number(searchParams.get('expires')) - 60
  const { signature } = await watchLinks.grantUntil(`show/${pathname.split('/').at(-1)}`, expires)
  await get(below(link, 'state'), { expects: 200 })
  await get(`${pathname}/state?expires=${expires}&signature=${signature}`, { expects: 200 })
}

/** Visits the page of a clip, its data, and its playlist until its MP4 is published. */
async function visitClipPage(visitor: Visitor, link: string): Promise<void> {
  const { get } = visitor
  const page = await get(pathIn(link), { accept: HTML, expects: 200 })
  await get(below(link, 'embed'), { accept: HTML, expects: 200 })
  await follow(visitor, page)
  const data = jsonOf<Watched>(await get(below(link, 'recording'), { expects: 200 }))
  if (typeof data?.playlist === 'string') await get(data.playlist, { expects: 200 })
}

/** Requests what a page names and was not requested before, as a browser does. A cover is on another server. */
async function follow({ get, visits }: Visitor, { status, answer, site }: Visit): Promise<void> {
  if (status !== 200) return
  for (const address of addressesIn(readPage(answer))) {
    if (visits.some((one) => one.address === address)) continue
    if (address.startsWith(addresses.aws)) await get(address, { expects: 200 })
    else if (!address.includes(':') || address.startsWith(`${site.origin}/`))
      await get(pathIn(address), { expects: /\/poster(\?|$)/.test(address) ? 302 : 200 })
  }
}

interface Watched {
  readonly playlist: string | null
  readonly file: string | null
  readonly poster: string | null
  readonly chapters: string | null
  readonly downloads: Readonly<Record<'video' | 'audio', string | null>>
  readonly thumbnails: { readonly cues: string; readonly sprites: Readonly<Record<string, string>> } | null
  readonly captions: readonly { readonly url: string }[]
}

/** Requests every file that the data of a page names, and playlists that it does not have. */
async function visitFiles({ get }: Visitor, { visits }: Visitor): Promise<void> {
  const pages = visits.filter(({ isAtRest, address }) => isAtRest && /^\/watch\/[^/]+\/recording/.test(address))
  for (const visit of pages.slice(0, MAX_PAGES)) {
    const data = jsonOf<Watched>(visit)
    if (!data) continue
    const { file, poster, chapters, downloads, thumbnails, captions } = data
    const sprites = Object.values(thumbnails?.sprites ?? {}).slice(0, 1)
    const files = [
      file,
      poster,
      chapters,
      downloads.audio,
      thumbnails?.cues,
      ...sprites,
      ...captions.map(({ url }) => url),
    ]
    for (const url of files) if (url) await get(url, { expects: 200 })
    const unknown = { expects: 404, says: 'unknown-file' }
    for (const name of ['poster.jpg', 'hls/none.m3u8', '../other/hls/master.m3u8'])
      await get(withFile(visit.address, name), unknown)
    await get('/assets/watch.html', unknown)
  }
}

const withFile = (address: string, file: string) => {
  const { pathname, searchParams } = new URL(address, addresses.api)
  searchParams.set('file', file)
  return `${pathname.replace(/\/recording$/, '/playlist')}?${searchParams}`
}

/** Visits a page through the distribution in front of it, and past it. */
async function visitFront(through: Visitor, past: Visitor, { link }: WatchLink): Promise<void> {
  const [address, embed] = [pathIn(link), below(link, 'embed')]
  for (const one of [address, embed]) {
    await through.get(one, { accept: HTML, expects: 200 })
    await past.get(one, { accept: HTML, expects: 307 })
  }
  const data = below(link, link.includes('/watch/show/') ? 'state' : 'recording')
  await through.get(data, { expects: 200 })
  for (const one of [data, '/assets/watch.js', below(link, 'poster')].slice(0, link.includes('/show/') ? 2 : 3))
    await past.get(one, { expects: 403, says: 'wrong-origin' })
}
