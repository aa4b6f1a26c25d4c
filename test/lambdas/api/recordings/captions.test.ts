import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_CAPTIONS_BYTES, type Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { expectValidPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { isCall } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { type Call, call } from '../call.ts'
import { archiveId, manifest } from './recording.ts'

let world: World
const folder = `recordings/${archiveId}`
const master = { role: 'hls' as const, key: `${folder}/playlists/e/master.m3u8`, size: 1, sha256: null }
const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nvideo.m3u8\n'
const vtt = (words: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n`

const publish = (changes: Partial<Manifest> = {}) =>
  world.services.records.writeManifest({ ...manifest, files: [master], ...changes }, async () => true)
beforeEach(async () => {
  world = openWorld()
  await world.services.storage.put(master.key, MASTER, 'application/vnd.apple.mpegurl')
  await publish({ keepDays: 30 })
})
afterEach(() => world.close())

const put = (language: string, body: string, options: Call = {}, id = archiveId) =>
  call(world, `PUT /recordings/${id}/captions/${language}`, { body, ...options })
const remove = (language: string, id = archiveId) => call(world, `DELETE /recordings/${id}/captions/${language}`)
const filesNow = async () => (await world.services.records.readManifest(archiveId))?.files ?? []
const fileOf = async (role: string) => (await filesNow()).find((file) => file.role === role)
const textOf = async (role: string) => world.services.storage.readText((await fileOf(role))?.key ?? '')

describe('PUT /recordings/{archiveId}/captions/{language}', () => {
  it('publishes captions beside the recording and in its playlists', async () => {
    expect(await put('EN-us', vtt('Good evening.'))).toMatchObject({
      status: 200,
      body: { archiveId, captions: ['en-US'] },
    })
    expect((await fileOf('captions'))?.key).toMatch(new RegExp(`^${folder}/captions/[0-9a-f]{12}/en-US\\.vtt$`))
    expect(await textOf('captions')).toContain('X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000')
    for (const role of ['hls', 'hls-media']) expectValidPlaylist((await textOf(role)) ?? '')
    expect(await textOf('hls')).toContain('LANGUAGE="en-US"')
    expect(await textOf('hls')).toContain('\n../e/video.m3u8\n')
    expect(await textOf('hls-media')).toMatch(/#EXTINF:1\.000,\n\.\.\/\.\.\/captions\/[0-9a-f]{12}\/en-US\.vtt\n/)
    for (const { key, size } of await filesNow()) expect(await world.services.storage.sizeOf(key)).toBe(size)
  })

  it('takes the place of what was supplied before in the same language', async () => {
    await put('de', vtt('Guten Abend.'))
    await put('en', vtt('Good evening.'))
    expect((await put('de', vtt('Guten Morgen.'))).body.captions).toEqual(['de', 'en'])
    expect(await textOf('captions')).toContain('Guten Morgen.')
    expect((await filesNow()).filter(({ role }) => role === 'hls-media')).toHaveLength(2)
  })

  it('changes nothing when it is sent again', async () => {
    await put('de', vtt('Guten Abend.'))
    const before = await filesNow()
    await put('de', vtt('Guten Abend.'))
    expect(await filesNow()).toEqual(before)
  })

  it('loses none of two that come at the same time', async () => {
    let isFirst = true
    world.interceptors.aws = async (request, pass) => {
      if (isFirst && isCall('PUT', /manifest/)(request)) {
        isFirst = false
        await put('en', vtt('Good evening.'))
      }
      return pass()
    }
    expect((await put('de', vtt('Guten Abend.'))).body.captions).toEqual(['de', 'en'])
    expect(await textOf('hls')).toMatch(/LANGUAGE="de".*\n.*LANGUAGE="en"/)
  })

  it('serves a recording without playlists', async () => {
    await publish({ files: [] })
    expect((await put('en', vtt('Good evening.'))).status).toBe(200)
    expect((await filesNow()).map(({ role }) => role)).toEqual(['captions'])
  })

  it('refuses text that is not WebVTT, and names the line', async () => {
    const { status, body } = await put('en', 'WEBVTT\n\n00:01,000 --> 00:02,000\nHello\n')
    expect([status, body.detail]).toEqual([400, expect.stringContaining('line 3')])
    expect((await put('en', '')).status).toBe(400)
    expect((await put('e', vtt('Hello'))).status).toBe(400)
    expect((await put('en', vtt('x'.repeat(MAX_CAPTIONS_BYTES)))).status).toBe(413)
    expect(await filesNow()).toEqual([master])
  })

  it('refuses a recording that is not there, or cannot be played', async () => {
    expect((await put('en', vtt('Hello'), {}, 'none')).status).toBe(404)
    await publish({ duration: null })
    expect((await put('en', vtt('Hello'))).status).toBe(409)
  })

  it('is for operators', async () => {
    expect((await put('en', vtt('Hello'), { role: 'showrunner/viewer' })).status).toBe(403)
  })

  it('refuses another language when there are many', async () => {
    const files = Array.from({ length: 50 }, (_, index) => ({
      ...{ role: 'captions' as const, size: 1, sha256: null },
      key: `${folder}/captions/e/q${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}.vtt`,
    }))
    await publish({ files })
    expect((await put('en', vtt('Hello'))).status).toBe(409)
    expect((await put('qaa', vtt('Hello'))).status).toBe(200)
  })
})

describe('DELETE /recordings/{archiveId}/captions/{language}', () => {
  it('takes captions out of the recording and its playlists', async () => {
    await put('de', vtt('Guten Abend.'))
    await put('en', vtt('Good evening.'))
    expect(await remove('de')).toMatchObject({ status: 200, body: { captions: ['en'] } })
    expect(await textOf('hls')).not.toContain('LANGUAGE="de"')
    await remove('en')
    expect((await filesNow()).map(({ role }) => role)).toEqual(['hls'])
    expect(await textOf('hls')).toBe(MASTER.replace('video', '../e/video'))
  })

  it('answers 404 for captions and recordings that are not there', async () => {
    expect((await remove('de')).status).toBe(404)
    expect((await remove('de', 'none')).status).toBe(404)
  })
})
