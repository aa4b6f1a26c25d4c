import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { LIVE_INIT } from '../../../lib/media/hls/live/kept-playlist.ts'
import { LIVE_SEGMENT_SECONDS } from '../../../lib/media/hls/live/live-timeline.ts'
import { readReload } from '../../../lib/media/hls/live/reload.ts'
import { serveFile } from '../http/byte-ranges.ts'
import type { Hosts } from '../http/hosts.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { LADDER_FILE, PLAYLIST_FILE } from '../media/encoding/broadcast-target.ts'
import type { LivePlaylists } from '../media/media.ts'
import { DVR_FILE } from '../media/packaging/live-ladder.ts'
import { locateKept } from '../media/packaging/live-playlists.ts'
import { ReloadError } from '../media/packaging/reload-error.ts'
import type { Store } from '../state/store.ts'
import type { Broadcasts } from './broadcasts.ts'

/** Name of the files of which segments and parts are byte ranges. They grow. */
const MEDIA_FILE = /^media-\d+\.m4s$/
const SEGMENT = 'video/iso.segment'
/** Bytes under a segment's name never change. */
const IMMUTABLE = 'public, max-age=3600'

const compress = promisify(gzip)

/**
 * Serves playlists and segments to players as a CDN would: without a token, and also after the broadcast has stopped. Only
 * requests to its address and pages of it are served.
 */
export function createHlsRoutes(store: Store, broadcasts: Pick<Broadcasts, 'played'>, hosts: Hosts): Hono<Variables> {
  const routes = new Hono<Variables>()
  routes.use('/broadcasts/*', async (c, next) => {
    c.set('operation', 'play')
    hosts.refuseElsewhere(c.req.header('host') ?? new URL(c.req.url).host)
    await next()
  })
  routes.use(
    '/broadcasts/*',
    cors({ origin: (origin) => (hosts.includes(origin) ? origin : null), allowMethods: ['GET', 'HEAD'] }),
  )

  const kindOf = (c: Context<Variables>) => (c.req.query('DVR') === undefined ? 'window' : 'event')
  const refuseWithoutDvr = (id: string) => {
    if (!store.broadcasts.get(id)?.hls?.dvr) throw new Refusal(404, 'The broadcast has no DVR: start it with hls.dvr.')
  }
  const renditionOf = async (id: string, name: string) => (await broadcasts.played(id))?.ladder?.rendition(name)

  routes.get(`/broadcasts/:broadcastId/${PLAYLIST_FILE}`, async (c) =>
    servePlaylist(c, await broadcasts.played(c.req.param('broadcastId')), kindOf(c)),
  )
  routes.get(`/broadcasts/:broadcastId/${DVR_FILE}`, async (c) => {
    const id = c.req.param('broadcastId')
    refuseWithoutDvr(id)
    return servePlaylist(c, await broadcasts.played(id), 'event')
  })
  routes.get(`/broadcasts/:broadcastId/${LADDER_FILE}`, async (c) => {
    const played = await broadcasts.played(c.req.param('broadcastId'))
    const playlist = await played?.ladder?.multivariant(kindOf(c))
    if (playlist === undefined) throw new Refusal(404, 'The broadcast has no renditions yet, or none at all.')
    return sendPlaylist(c, playlist, false)
  })
  routes.get('/broadcasts/:broadcastId/:file', async (c) => {
    const { broadcastId, file } = c.req.param()
    const directory = store.broadcasts.get(broadcastId)?.directory
    return serveMedia(c, { directory, file, played: await broadcasts.played(broadcastId) })
  })
  routes.get(`/broadcasts/:broadcastId/:rendition/${PLAYLIST_FILE}`, async (c) => {
    const { broadcastId, rendition } = c.req.param()
    return servePlaylist(c, await renditionOf(broadcastId, rendition), 'window')
  })
  routes.get(`/broadcasts/:broadcastId/:rendition/${DVR_FILE}`, async (c) => {
    const { broadcastId, rendition } = c.req.param()
    refuseWithoutDvr(broadcastId)
    return servePlaylist(c, await renditionOf(broadcastId, rendition), 'event')
  })
  routes.get('/broadcasts/:broadcastId/:rendition/:file', async (c) => {
    const { broadcastId, rendition, file } = c.req.param()
    const played = await renditionOf(broadcastId, rendition)
    const folder = store.broadcasts.get(broadcastId)?.directory
    return serveMedia(c, { directory: folder && played && join(folder, rendition), file, played })
  })
  return routes
}

/** Serves a playlist, as soon as it has what the request waits for. */
async function servePlaylist(
  c: Context<Variables>,
  played: Pick<LivePlaylists, 'playlist'> | undefined,
  kind: 'window' | 'event',
): Promise<Response> {
  const reload = readReload(new URL(c.req.url).searchParams)
  if (!reload) throw new Refusal(400, 'The delivery directives are invalid: see RFC 8216bis, 6.2.5.')
  const playlist = await played?.playlist(kind, reload).catch((error) => {
    throw error instanceof ReloadError ? new Refusal(error.reason === 'ahead' ? 400 : 503, error.message) : error
  })
  if (playlist === undefined) throw new Refusal(404, 'The broadcast has no playlist yet, or none at all.')
  return sendPlaylist(c, playlist, reload.segment !== undefined)
}

interface RequestedMedia {
  readonly directory: string | undefined
  readonly file: string
  readonly played: Partial<Pick<LivePlaylists, 'locate'>> | undefined
}

/** Serves an init segment, a media file, or a segment or part out of one. */
async function serveMedia(c: Context<Variables>, { directory, file, played }: RequestedMedia): Promise<Response> {
  if (directory && (file === LIVE_INIT || MEDIA_FILE.test(file))) {
    const path = join(directory, file)
    return serveFile(c, {
      ...(file === LIVE_INIT
        ? { type: 'video/mp4', cacheControl: IMMUTABLE }
        : { type: SEGMENT, cacheControl: 'no-cache' }),
      ...(await factsOf(path)),
      open: (range) => createReadStream(path, range),
    })
  }
  if (!directory) throw missing()
  const kept = (await played?.locate?.(file)) ?? (await locateKept(directory, file))
  if (!kept) throw missing()
  const path = join(directory, kept.file)
  await factsOf(path)
  return serveFile(c, {
    ...{ type: SEGMENT, size: kept.size, tag: `${kept.size}-${kept.offset}`, cacheControl: IMMUTABLE },
    open: ({ start, end } = { start: 0, end: kept.size - 1 }) =>
      createReadStream(path, { start: kept.offset + start, end: kept.offset + end }),
  })
}

/** Seconds for which caches keep an answer to a request that waits for a part: six target durations (RFC 8216bis, 6.2.5.2). */
const HELD = 6 * LIVE_SEGMENT_SECONDS

/**
 * Sends a playlist, compressed if the player accepts it. Browsers keep no answer that was held: Video.js requests the last part
 * of a segment again, and expects a newer playlist. Others are kept for half a target duration, after which the next one differs.
 */
async function sendPlaylist(c: Context<Variables>, playlist: string, isHeld: boolean): Promise<Response> {
  const headers = {
    'content-type': 'application/vnd.apple.mpegurl',
    'cache-control': `public, ${isHeld ? `max-age=0, s-maxage=${HELD}` : `max-age=${LIVE_SEGMENT_SECONDS / 2}`}`,
  }
  c.header('vary', 'accept-encoding', { append: true })
  if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(playlist, 200, headers)
  return c.body(new Uint8Array(await compress(playlist)), 200, { ...headers, 'content-encoding': 'gzip' })
}

const missing = () => new Refusal(404, 'There is no such segment.')

async function factsOf(path: string): Promise<{ size: number; tag: string }> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { size, tag: `${size}-${Math.trunc(mtimeMs)}` }
  } catch {
    throw missing()
  }
}
