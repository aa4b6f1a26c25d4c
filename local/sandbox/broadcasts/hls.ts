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
import { PLAYLIST_FILE } from '../media/encoding/broadcast-target.ts'
import { ReloadError } from '../media/packaging/reload-error.ts'
import type { Store } from '../state/store.ts'
import type { Broadcasts } from './broadcasts.ts'

/** Name of the playlist with all segments, in URLs. */
const DVR_FILE = 'dvr.m3u8'
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
export function createHlsRoutes(
  store: Store,
  broadcasts: Pick<Broadcasts, 'playlist' | 'locate'>,
  hosts: Hosts,
): Hono<Variables> {
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

  const servePlaylist = async (c: Context<Variables>, id: string, kind: 'window' | 'event') => {
    const reload = readReload(new URL(c.req.url).searchParams)
    if (!reload) throw new Refusal(400, 'The delivery directives are invalid: see RFC 8216bis, 6.2.5.')
    const playlist = await broadcasts.playlist(id, kind, reload).catch((error) => {
      throw error instanceof ReloadError ? new Refusal(error.reason === 'ahead' ? 400 : 503, error.message) : error
    })
    if (playlist === undefined) throw new Refusal(404, 'The broadcast has no playlist yet, or none at all.')
    return sendPlaylist(c, playlist, reload.segment !== undefined)
  }
  routes.get(`/broadcasts/:broadcastId/${PLAYLIST_FILE}`, (c) =>
    servePlaylist(c, c.req.param('broadcastId'), c.req.query('DVR') === undefined ? 'window' : 'event'),
  )
  routes.get(`/broadcasts/:broadcastId/${DVR_FILE}`, (c) => {
    const id = c.req.param('broadcastId')
    if (!store.broadcasts.get(id)?.hls?.dvr) throw new Refusal(404, 'The broadcast has no DVR: start it with hls.dvr.')
    return servePlaylist(c, id, 'event')
  })
  routes.get('/broadcasts/:broadcastId/:file', async (c) => {
    const { broadcastId, file } = c.req.param()
    const directory = store.broadcasts.get(broadcastId)?.directory
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
    const kept = await broadcasts.locate(broadcastId, file)
    if (!directory || !kept) throw missing()
    const path = join(directory, kept.file)
    await factsOf(path)
    return serveFile(c, {
      ...{ type: SEGMENT, size: kept.size, tag: `${kept.size}-${kept.offset}`, cacheControl: IMMUTABLE },
      open: ({ start, end } = { start: 0, end: kept.size - 1 }) =>
        createReadStream(path, { start: kept.offset + start, end: kept.offset + end }),
    })
  })
  return routes
}

/**
 * Sends a playlist, compressed if the player accepts it. A cache may keep an answer that was held for six target durations,
 * and any other for half of one: the next one will differ.
 */
async function sendPlaylist(c: Context<Variables>, playlist: string, isHeld: boolean): Promise<Response> {
  const headers = {
    'content-type': 'application/vnd.apple.mpegurl',
    'cache-control': `public, max-age=${isHeld ? 6 * LIVE_SEGMENT_SECONDS : LIVE_SEGMENT_SECONDS / 2}`,
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
