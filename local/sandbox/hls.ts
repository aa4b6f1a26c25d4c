import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import type { Broadcasting } from './broadcasting.ts'
import { Refusal } from './refusal.ts'
import type { Variables } from './router.ts'
import type { Store } from './store.ts'

const PLAYLIST = 'index.m3u8'

const SEGMENT_TYPES: Readonly<Record<string, string>> = {
  '.ts': 'video/mp2t',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
}

/** Playlists and segments for players, as a CDN would serve them: to anybody, and still after the end. */
export function createHlsRoutes(store: Store, broadcasting: Broadcasting): Hono<Variables> {
  const routes = new Hono<Variables>()
  routes.use('/broadcasts/*', async (c, next) => {
    c.set('operation', 'play')
    await next()
    c.res.headers.set('access-control-allow-origin', '*')
  })
  routes.get(`/broadcasts/:broadcastId/${PLAYLIST}`, async (c) => {
    const playlist = await broadcasting.playlist(c.req.param('broadcastId'))
    if (playlist === undefined) throw new Refusal(404, 'The broadcast has no playlist (yet).')
    return c.body(playlist, 200, { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
  })
  routes.get('/broadcasts/:broadcastId/:segment', async (c) => {
    const { broadcastId, segment } = c.req.param()
    const type = SEGMENT_TYPES[extname(segment)]
    const directory = store.broadcasts.get(broadcastId)?.directory
    if (!type || !directory || !/^[\w-]+\.\w+$/.test(segment)) throw new Refusal(404, 'There is no such segment.')
    const { size, content } = await openFile(join(directory, segment))
    return c.body(content, 200, {
      'content-type': type,
      'content-length': String(size),
      'cache-control': 'public, max-age=3600', // a segment never changes
    })
  })
  return routes
}

async function openFile(path: string): Promise<{ size: number; content: ReadableStream }> {
  const file = await open(path).catch(() => {
    throw new Refusal(404, 'There is no such segment.')
  })
  const { size } = await file.stat()
  return { size, content: Readable.toWeb(file.createReadStream()) as ReadableStream }
}
