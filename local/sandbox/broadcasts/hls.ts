import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { serveFile } from '../http/byte-ranges.ts'
import type { Hosts } from '../http/hosts.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { PLAYLIST_FILE } from '../media/encoding/broadcast-target.ts'
import type { Store } from '../state/store.ts'
import type { Broadcasts } from './broadcasts.ts'

const SEGMENT_TYPES: Readonly<Record<string, string>> = {
  '.ts': 'video/mp2t',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
}

/**
 * Serves playlists and segments to players as a CDN would: without a token, and also after the broadcast has stopped. Only
 * requests to its address and pages of it are served.
 */
export function createHlsRoutes(store: Store, broadcasts: Pick<Broadcasts, 'playlist'>, hosts: Hosts): Hono<Variables> {
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
  routes.get(`/broadcasts/:broadcastId/${PLAYLIST_FILE}`, async (c) => {
    const playlist = await broadcasts.playlist(c.req.param('broadcastId'))
    if (playlist === undefined) throw new Refusal(404, 'The broadcast has no playlist yet, or none at all.')
    return c.body(playlist, 200, { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
  })
  routes.get('/broadcasts/:broadcastId/:segment', async (c) => {
    const { broadcastId, segment } = c.req.param()
    const type = SEGMENT_TYPES[extname(segment)]
    const directory = store.broadcasts.get(broadcastId)?.directory
    if (!type || !directory || !/^[\w-]+\.\w+$/.test(segment)) throw new Refusal(404, 'There is no such segment.')
    const path = join(directory, segment)
    return serveFile(c, {
      type,
      ...(await factsOf(path)),
      cacheControl: 'public, max-age=3600', // a segment never changes
      open: (range) => createReadStream(path, range),
    })
  })
  return routes
}

async function factsOf(path: string): Promise<{ size: number; tag: string }> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { size, tag: `${size}-${Math.trunc(mtimeMs)}` }
  } catch {
    throw new Refusal(404, 'There is no such segment.')
  }
}
