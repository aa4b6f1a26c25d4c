import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/watch/watch.ts'
import { clipPath, clipPlaylistPath, credentialsOf } from '../../../lib/api/watch-routes.ts'
import { clipSubject, type LiveClipRecord } from '../../../lib/publish/manifest/clip.ts'
import { readClip, writeClip } from '../../../lib/records/clip-records.ts'
import { invoke, openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { providePage } from './page-file.ts'

providePage()

const [archiveId, clipId] = ['a-broadcast', '0123456789abcdef']
const folder = `recordings/${archiveId}/clips/${clipId}/`
const clip: LiveClipRecord = {
  ...{ version: 1, archiveId, clipId, name: 'The demo', from: 7.5, to: 12, createdAt: START_TIME, status: 'cutting' },
  live: {
    ...{ showId: 'a-show', broadcast: 'live', part: 1, startedAt: START_TIME, access: 'signed', keepDays: null },
    picture: { width: 640, height: 480 },
  },
}
const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia-0.m3u8\n'
const MEDIA = '#EXTM3U\n#EXT-X-MAP:URI="https://cdn.example.com/init.mp4"\n#EXTINF:2,\nhttps://cdn.example.com/1.m4s\n'

let world: World
let credentials: ReturnType<typeof credentialsOf>
beforeEach(async () => {
  world = openWorld()
  await world.accept(webinar, 'a-show')
  await writeClip(world.services.storage, clip, { keepDays: null })
  await world.services.storage.put(`${folder}index.m3u8`, MASTER, 'text/plain')
  await world.services.storage.put(`${folder}media-0.m3u8`, MEDIA, 'text/plain')
  credentials = credentialsOf(await world.services.watchLinks.grant(clipSubject(archiveId, clipId), 60))
})
afterEach(() => world.close())

async function get(address: string) {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  return (await invoke(handler, world.services, {
    ...{ version: '2.0', rawPath: pathname, headers: {}, pathParameters: { archiveId, clipId } },
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
  })) as { statusCode: number; body: string; headers: Record<string, string> }
}
const page = (more = '') => clipPath(archiveId, clipId, credentials).replace('?', `${more}?`)
const playlist = (name: string) => clipPlaylistPath(archiveId, clipId, folder + name, credentials)

describe('GET /watch/{archiveId}/clips/{clipId} of a live show', () => {
  it('is a page with the title of the clip, which may play files of the platform', async () => {
    const { body, headers } = await get(page())
    expect(body).toContain('<title>The demo – Launch webinar</title>')
    expect(headers['content-security-policy']).toMatch(/connect-src [^;]* https?:(;| )/)
    expect(JSON.parse((await get(page('/recording'))).body)).toMatchObject({
      ...{ page: { title: 'The demo' }, duration: 4.5, file: null, picture: { width: 640, height: 480 } },
      playlist: playlist('index.m3u8'),
    })
  })

  it('has playlists that lead to each other and to the platform', async () => {
    const master = (await get(playlist('index.m3u8'))).body
    expect(master.trim().split('\n').at(-1)).toBe(playlist('media-0.m3u8'))
    expect((await get(playlist('media-0.m3u8'))).body).toBe(MEDIA)
    expect((await get(playlist('clip.json'))).statusCode).toBe(404)
    expect((await get(playlist('../../../a.m3u8'))).statusCode).toBe(404)
  })

  it('plays the MP4 once that is published', async () => {
    const { etag = '' } = (await readClip(world.services.storage, archiveId, clipId)) ?? {}
    const published = { status: 'published', file: { key: `${folder}clip.mp4`, size: 1, sha256: 'aa' } } as const
    await writeClip(world.services.storage, { ...clip, ...published }, { etag, keepDays: null })
    expect(JSON.parse((await get(page('/recording'))).body)).toMatchObject({
      ...{ playlist: null, file: expect.stringContaining('/clip.mp4?') },
    })
    expect((await get(page())).headers['content-security-policy']).not.toMatch(/ https?:(;| )/)
  })

  it('needs a signed link, unless the show is public', async () => {
    const bare = clipPath(archiveId, clipId)
    expect((await get(`${bare}/recording`)).statusCode).toBe(403)
    await world.clock.advance(61_000)
    expect((await get(page('/recording'))).statusCode).toBe(403)
    const { etag = '' } = (await readClip(world.services.storage, archiveId, clipId)) ?? {}
    const shared = { ...clip, live: { ...clip.live, access: 'public' as const } }
    await writeClip(world.services.storage, shared, { etag, keepDays: null })
    expect((await get(`${bare}/recording`)).statusCode).toBe(200)
  })
})
