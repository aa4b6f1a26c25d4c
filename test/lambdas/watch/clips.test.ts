import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/watch/watch.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { readClip, writeClip } from '../../../lib/records/clip-records.ts'
import { invoke, openWorld, START_TIME, type World } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { archiveId, manifest } from '../api/recordings/recording.ts'
import { providePage } from './page-file.ts'

providePage()

const folder = `recordings/${archiveId}/`
const file = (role: Manifest['files'][number]['role'], name: string) => ({
  ...{ role, key: folder + name, size: 1, sha256: null },
})
const MASTER =
  '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,URI="c.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="s"\nvideo.m3u8\n'
const segment = (index: number) => `#EXTINF:6.000000,\n#EXT-X-BYTERANGE:9@${index * 9}\n0.mp4\n`
const VIDEO = `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI="init.mp4"\n${[0, 1, 2, 3].map(segment).join('')}#EXT-X-ENDLIST\n`

let world: World
let links: { watch: { url: string }; hls: { url: string }; clipId: string }
beforeEach(async () => {
  world = openWorld()
  const files = [
    file('hls', 'hls/e/master.m3u8'),
    ...['video.m3u8', 'init.mp4', '0.mp4'].map((name) => file('hls-media', `hls/e/${name}`)),
  ]
  const page = { title: 'Launch' }
  await world.services.records.writeManifest({ ...manifest, page, duration: 24, files }, async () => true)
  await world.services.storage.put(`${folder}hls/e/master.m3u8`, MASTER, 'text/plain')
  await world.services.storage.put(`${folder}hls/e/video.m3u8`, VIDEO, 'text/plain')
  const body = { name: 'The demo', from: 7.5, to: 12 }
  links = (await call(world, `POST /recordings/${archiveId}/clips`, { body })).body
})
afterEach(() => world.close())

async function get(address: string) {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  const [, , id = '', , clipId] = pathname.split('/')
  return (await invoke(handler, world.services, {
    ...{ version: '2.0', rawPath: pathname, headers: {} },
    pathParameters: { archiveId: id, ...(clipId !== undefined && { clipId }) },
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
  })) as { statusCode: number; body: string }
}

describe('GET /watch/{archiveId}/clips/{clipId}', () => {
  it('lists the segments that hold the clip, and where it starts', async () => {
    const master = (await get(links.hls.url)).body
    expect(master).not.toContain('SUBTITLES')
    const video = (await get(master.trim().split('\n').at(-1) ?? '')).body
    const seen = video.replaceAll(/https?:\/\/[^"\s]*\/(\w+\.mp4)[^"\s]*/g, '$1')
    const time = new Date(Date.parse(START_TIME) + 6_000).toISOString()
    expect(seen).toBe(
      `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-START:TIME-OFFSET=1.500,PRECISE=YES\n#EXT-X-MAP:URI="init.mp4"\n#EXT-X-PROGRAM-DATE-TIME:${time}\n${segment(1)}#EXT-X-ENDLIST\n`,
    )
  })

  it('has a page with the title of the clip', async () => {
    const { statusCode, body } = await get(links.watch.url)
    expect(statusCode).toBe(200)
    expect(body).toContain('<title>The demo – Launch</title>')
  })

  it('is described by HLS first, and by its MP4 once that is published', async () => {
    const address = links.watch.url.replace('?', '/recording?')
    expect(JSON.parse((await get(address)).body)).toMatchObject({
      ...{ name: 'Launch', page: { title: 'The demo' }, duration: 4.5, file: null, downloads: { video: null } },
      playlist: expect.stringContaining(`/clips/${links.clipId}/playlist?`),
    })
    const { storage } = world.services
    const { document, etag } = (await readClip(storage, archiveId, links.clipId)) ?? {}
    if (!document || etag === undefined) throw new Error('There is no clip.')
    const key = `${folder}clips/${links.clipId}/clip.mp4`
    const published = { ...document, status: 'published' as const, file: { key, size: 1, sha256: 'aa' } }
    await writeClip(storage, published, { etag, keepDays: null })
    expect(JSON.parse((await get(address)).body)).toMatchObject({
      ...{ playlist: null, file: expect.stringContaining('/clip.mp4?') },
      downloads: { video: expect.stringContaining('The%20demo') },
    })
  })

  it('admits to the clip only, until the links of the recording are revoked', async () => {
    const credentials = new URL(links.watch.url).search
    expect((await get(`/watch/${archiveId}/recording${credentials}`)).statusCode).toBe(403)
    const whole = (await call(world, `GET /recordings/${archiveId}`)).body.watch.url
    expect((await get(`/watch/${archiveId}/clips/${links.clipId}/recording${new URL(whole).search}`)).statusCode).toBe(
      403,
    )
    await call(world, `POST /recordings/${archiveId}/revoke`)
    expect((await get(links.watch.url.replace('?', '/recording?'))).statusCode).toBe(403)
    expect((await get(`/watch/${archiveId}/clips/0000000000000000/recording`)).statusCode).toBe(403)
  })
})
