import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/watch/watch.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { expectValidPlaylists } from '../../support/hls/read-presentation.ts'
import { callSecrets, invoke, openWorld, type World } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { archiveId, manifest } from '../api/recordings/recording.ts'

const folder = `recordings/${archiveId}/`
const file = (role: Manifest['files'][number]['role'], name: string) => ({
  ...{ role, key: folder + name, size: 1, sha256: null },
})
const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=12\nvideo.m3u8\n'
const VIDEO =
  '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:6,\n#EXT-X-BYTERANGE:9@0\n0.mp4\n#EXTINF:6,\n#EXT-X-BYTERANGE:9@9\n0.mp4\n'
const packaged: Manifest = {
  ...manifest,
  files: [
    file('poster', 'poster/e/poster.jpg'),
    file('thumbnails', 'thumbnails/e/thumbnails.vtt'),
    file('sprite', 'thumbnails/e/sprite-1.jpg'),
    file('captions', 'captions/pt-BR.vtt'),
    file('hls', 'hls/e/master.m3u8'),
    ...['video.m3u8', 'init.mp4', '0.mp4'].map((name) => file('hls-media', `hls/e/${name}`)),
  ],
}

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

interface Answer {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: string
  readonly isBase64Encoded?: boolean
}

/** Asks for a page by its address, as API Gateway would. */
async function get(address: string, headers: Record<string, string> = {}) {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  const [, , id, what] = pathname.split('/')
  const event = {
    version: '2.0',
    rawPath: pathname,
    headers,
    ...(searchParams.size > 0 && { queryStringParameters: Object.fromEntries(searchParams) }),
    pathParameters: what === undefined && pathname.startsWith('/assets') ? { file: id } : { archiveId: id },
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
    isBase64Encoded: false,
  }
  return (await invoke(handler, world.services, event)) as Answer
}

async function publish(changes: Partial<Manifest> = {}) {
  await world.services.records.writeManifest({ ...packaged, ...changes }, async () => true)
  await world.services.storage.put(`${folder}hls/e/master.m3u8`, MASTER, 'text/plain')
  await world.services.storage.put(`${folder}hls/e/video.m3u8`, VIDEO, 'text/plain')
  return (await call(world, `GET /recordings/${archiveId}`)).body as {
    watch: { url: string; expiresAt?: string }
    files: { role: string; url: string }[]
  }
}
const read = async (address: string) => JSON.parse((await get(address)).body)
/** The request that the page makes for what it shows. */
const recordingOf = (url: string) => url.replace(/(\?|$)/, '/recording$1')
const linesOf = (playlist: string) => playlist.split('\n').filter((line) => line && !line.startsWith('#'))

describe('the link of a recording to its watch page', () => {
  it('shows the published files, by links that expire', async () => {
    const { watch } = await publish()
    const shown = await read(recordingOf(watch.url))
    expect(shown).toMatchObject({
      archiveId,
      name: null,
      page: null,
      duration: 1,
      playlist: expect.stringContaining(`/watch/${archiveId}/playlist?file=hls%2Fe%2Fmaster.m3u8&expires=`),
      poster: expect.stringMatching(/poster\.jpg\?.*X-Amz-Expires=3600/),
      captions: [{ language: 'pt-BR', url: expect.stringContaining('pt-BR.vtt?') }],
      thumbnails: { sprites: { 'sprite-1.jpg': expect.stringContaining('sprite-1.jpg?') } },
      downloads: { audio: null },
    })
  })

  it('presents the recording as its show orders', async () => {
    const { watch } = await publish({ page: { title: 'Talks', cover: 'https://example.com/cover.jpg' } })
    expect((await read(recordingOf(watch.url))).page).toEqual({
      title: 'Talks',
      description: null,
      cover: 'https://example.com/cover.jpg',
      accentColor: null,
    })
  })

  it('names downloads by show, recording and day', async () => {
    const files = [...packaged.files, file('audio', 'audio/e/audio.m4a')]
    const show = { showId: 'a-show', name: 'program', part: 1 }
    const { watch } = await publish({ show, page: { title: 'Café “Launch”' }, files })
    const { downloads, file: whole } = await read(recordingOf(watch.url))
    const nameOf = (link: string) => new URL(link).searchParams.get('response-content-disposition')
    const day = manifest.createdAt.slice(0, 10)
    expect(nameOf(downloads.video)).toBe(
      `attachment; filename="Cafe _Launch_ - program - ${day}.mp4"; filename*=UTF-8''Caf%C3%A9%20%E2%80%9CLaunch%E2%80%9D%20%E2%80%93%20program%20%E2%80%93%20${day}.mp4`,
    )
    expect(nameOf(downloads.audio)).toContain(`program - ${day}.m4a"`)
    expect(nameOf(whole)).not.toContain('Launch')
  })

  it('names downloads of an archive that no show started by their day', async () => {
    const { downloads } = await read(recordingOf((await publish()).watch.url))
    expect(new URL(downloads.video).searchParams.get('response-content-disposition')).toContain(
      'filename="Recording - 2',
    )
  })

  it('works for a day and no longer', async () => {
    const { watch } = await publish()
    expect(Date.parse(watch.expiresAt ?? '') - world.clock.now()).toBe(86_400_000)
    await world.clock.advance(86_399_000)
    expect((await get(recordingOf(watch.url))).statusCode).toBe(200)
    await world.clock.advance(1_000)
    expect(await read(recordingOf(watch.url))).toMatchObject({
      status: 403,
      detail: 'This link has expired. Ask the publisher for a new one.',
    })
  })

  it('is good for no other recording, for no later end, and not without its signature', async () => {
    const url = new URL((await publish()).watch.url)
    const others = [
      url.href.replace(archiveId, 'another'),
      url.href.replace(/expires=\d+/, 'expires=9999999999'),
      url.href.replace(/signature=.{4}/, 'signature=AAAA'),
      `${url.origin}${url.pathname}`,
    ]
    for (const other of others) expect((await get(recordingOf(other))).statusCode).toBe(403)
  })

  it('is judged before anything is read of the recording', async () => {
    const { watch } = await publish()
    const read: string[] = []
    world.interceptors.aws = async (request, pass) => {
      if (request.url.includes('manifest.json')) read.push(request.url)
      return pass()
    }
    const forged = watch.url.replace(/signature=.{4}/, 'signature=AAAA')
    expect((await get(recordingOf(forged))).statusCode).toBe(403)
    expect(read).toEqual([])
    expect((await get(recordingOf(watch.url))).statusCode).toBe(200)
    expect(read).toHaveLength(1)
  })

  it('ends once the links of the recording are revoked, and a new one works, also for what it leads to', async () => {
    const { watch } = await publish()
    expect((await call(world, `POST /recordings/${archiveId}/revoke`)).body).toEqual({
      archiveId,
      revoked: [archiveId],
    })
    expect(await read(recordingOf(watch.url))).toMatchObject({
      status: 403,
      detail: expect.stringContaining('revoked'),
    })
    const renewed = (await call(world, `GET /recordings/${archiveId}`)).body.watch.url
    expect((await get(recordingOf(renewed.replace(/epoch=1/, 'epoch=0')))).statusCode).toBe(403)
    const { playlist } = await read(recordingOf(renewed))
    expect((await get(linesOf((await get(playlist)).body)[0] ?? '')).statusCode).toBe(200)
  })

  it('is needed again for a public recording whose links are revoked', async () => {
    const { watch } = await publish({ access: 'public' })
    await call(world, `POST /recordings/${archiveId}/revoke`)
    expect((await get(recordingOf(watch.url))).statusCode).toBe(403)
    expect((await call(world, `GET /public/recordings/${archiveId}`)).status).toBe(404)
    expect((await call(world, `GET /recordings/${archiveId}`)).body).toMatchObject({ access: 'signed', epoch: 1 })
    expect((await call(world, 'POST /recordings/none/revoke')).status).toBe(404)
  })

  it('ends within a minute once the secret that signs it is replaced', async () => {
    const { watch } = await publish()
    expect((await get(recordingOf(watch.url))).statusCode).toBe(200)
    const SecretString = JSON.stringify({ secret: 'another secret, of thirty-two letters' })
    await callSecrets(world.secrets, 'PutSecretValue', { SecretId: 'watch', SecretString, ClientRequestToken: 'v2' })
    await world.clock.advance(60_000)
    expect((await get(recordingOf(watch.url))).statusCode).toBe(403)
  })

  it('needs no signature for a public recording', async () => {
    const { watch } = await publish({ access: 'public' })
    expect(watch).toEqual({ url: `https://api.example.com/watch/${archiveId}` })
    expect((await get(recordingOf(watch.url))).statusCode).toBe(200)
    expect((await call(world, `GET /public/recordings/${archiveId}`)).body.watch).toEqual(watch)
  })

  it('reveals that a recording does not exist only to holders of a valid link', async () => {
    const { watch } = await publish()
    await world.services.storage.deleteAll(folder)
    expect((await get(recordingOf(watch.url))).statusCode).toBe(404)
    expect((await get(`/watch/${archiveId}/recording`)).statusCode).toBe(403)
  })
})

describe('GET /watch/{archiveId}/playlist', () => {
  it('names playlists by requests like its own, and files by links', async () => {
    const { files } = await publish()
    const master = files.find(({ role }) => role === 'hls')?.url ?? ''
    const [video = ''] = linesOf((await get(master)).body)
    const { body, headers } = await get(video)
    expect(await expectValidPlaylists((await get(master)).body, async (uri) => (await get(uri)).body)).toBe(1)
    expect(headers['content-type']).toBe('application/vnd.apple.mpegurl')
    const [first = '', second] = linesOf(body)
    expect(second).toBe(first)
    expect(first).toMatch(/hls\/e\/0\.mp4\?.*X-Amz-Signature=/)
    expect(body).toMatch(/#EXT-X-MAP:URI="[^"]+hls\/e\/init\.mp4\?[^"]+"/)
    expect(body.replaceAll(/http[^"\n]+\/hls\/e\/|\?[^"\n]*/g, '')).toBe(VIDEO)
  })

  it('is compressed for who understands that', async () => {
    const master = (await publish()).files.find(({ role }) => role === 'hls')?.url ?? ''
    const plain = await get(master)
    const { headers, body, isBase64Encoded } = await get(master, { 'accept-encoding': 'br, gzip' })
    expect([headers['content-encoding'], isBase64Encoded]).toEqual(['gzip', true])
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(plain.body)
  })

  it.each(['', 'hls/e/0.mp4', '../../shows/a/state.json', '../other/hls/e/master.m3u8', 'hls/e/none.m3u8'])(
    'serves nothing but listed playlists: not %j',
    async (name) => {
      const { watch } = await publish()
      const other = new URL(watch.url.replace(/\?/, '/playlist?'))
      other.searchParams.set('file', name)
      expect((await get(other.href)).statusCode).toBe(404)
    },
  )

  it('leads to no file that the manifest does not list', async () => {
    const { files } = await publish()
    const master = files.find(({ role }) => role === 'hls')?.url ?? ''
    await world.services.storage.put(
      `${folder}hls/e/master.m3u8`,
      '#EXTM3U\n../../../../shows/a/state.json\n',
      'text/plain',
    )
    expect((await get(master)).statusCode).toBe(404)
  })
})

describe('GET /assets/{file}', () => {
  it.each(['watch.html', 'index.mjs', '../api.ts', 'none'])(
    'serves nothing but the page’s own files: not %s',
    async (name) => {
      expect((await get(`/assets/${encodeURIComponent(name)}`)).statusCode).toBe(404)
    },
  )
})
