import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { createPlatformClient } from '../../../../lib/platform/client/client.ts'
import { createS3 } from '../../../../local/cloud/s3/s3.ts'
import { listen } from '../../../../local/cloud/server.ts'
import { openPlayer, servePlayers } from '../../../machine/player-page.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'
import { followPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { expectValidPlaylists } from '../../../support/hls/read-presentation.ts'
import { startSandboxProgram } from '../../../support/ready-program.ts'

/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 300_000, interval: 100 }
const BUCKET = 'live'

const s3 = createS3({
  clock: realClock,
  secretOf: (id) => (id === 'AK' ? 'secret' : undefined),
  isPublic: (key) => key.includes('/live/'),
})
s3.createBucket(BUCKET, undefined, [{ AllowedMethods: ['GET', 'HEAD'], AllowedOrigins: ['*'] }])

let server: Awaited<ReturnType<typeof listen>>
let sandbox: Awaited<ReturnType<typeof startSandboxProgram>>
beforeAll(async () => {
  server = await listen(s3.fetch)
  sandbox = await startSandboxProgram(['--origin', 'bucket', '--ladder', '240'])
})
afterAll(async () => {
  await sandbox.stop()
  await server.close()
  s3.close()
})

describe('--origin bucket', () => {
  it('mirrors a broadcast that a player plays from the bucket', async () => {
    const { url, apiKey, apiSecret, controlToken } = sandbox.ready
    const platform = createPlatformClient({ baseUrl: url, apiKey, apiSecret, timeout: PATIENCE.timeout })
    await platform.setUploadTarget({
      ...{ type: 's3', fallback: 'none' },
      config: { accessKey: 'AK', secretKey: 'secret', bucket: BUCKET, endpoint: server.url },
    })
    const [session] = await platform.createSession()
    const sessionId = session?.session_id ?? ''
    const headers = { authorization: `Bearer ${controlToken}` }
    const body = JSON.stringify({ name: 'Ada' })
    await fetch(`${url}/sandbox/sessions/${sessionId}/participants`, { method: 'POST', headers, body })
    const { id, broadcastUrls } = await platform.startBroadcast({ sessionId, outputs: { hls: { dvr: true } } })
    const playlist = broadcastUrls?.hls ?? ''
    expect(playlist).toBe(`${server.url}/${BUCKET}/${apiKey}/live/${id}/ladder.m3u8`)
    await vi.waitUntil(async () => (await fetch(playlist)).ok, PATIENCE)
    const read = async (uri: string) => (await fetch(new URL(uri, playlist))).text()
    const multivariant = await read('ladder.m3u8')
    expect(await expectValidPlaylists(multivariant, read)).toBe(3)

    const [browser, pages] = await Promise.all([launchChromium(), servePlayers()])
    onTestFinished(async () => {
      await browser.close()
      await pages.close()
    })
    const place = { browser, address: pages.url }
    const player = await openPlayer(place, 'hls', { playlist, lowLatency: false })
    await vi.waitUntil(async () => (await player.state()).time > 1, PATIENCE)
    expect([(await player.state()).errors, player.complaints]).toEqual([[], []])

    const versions = followPlaylist('240p')
    versions.add(await read('240p/dvr.m3u8'))
    await platform.stopBroadcast({ broadcastId: id })
    for (const name of ['480p', '240p', 'audio'])
      await vi.waitUntil(async () => (await read(`${name}/dvr.m3u8`)).endsWith('#EXT-X-ENDLIST\n'), PATIENCE)
    const { segments } = versions.add(await read('240p/dvr.m3u8'))
    const segment = await fetch(new URL(`240p/${segments.at(-1)?.uri}`, playlist))
    expect([segment.status, segment.headers.get('content-type'), segment.headers.get('cache-control')]).toEqual([
      200,
      'video/iso.segment',
      'public, max-age=31536000, immutable',
    ])
    expect((await segment.bytes()).length).toBeGreaterThan(1_000)
  })

  it('ends the playlists of a broadcast that runs while the sandbox is closed', async () => {
    const { url, apiKey, apiSecret, controlToken } = sandbox.ready
    const platform = createPlatformClient({ baseUrl: url, apiKey, apiSecret, timeout: PATIENCE.timeout })
    const [session] = await platform.createSession()
    const sessionId = session?.session_id ?? ''
    const headers = { authorization: `Bearer ${controlToken}` }
    const body = JSON.stringify({ name: 'Ada' })
    await fetch(`${url}/sandbox/sessions/${sessionId}/participants`, { method: 'POST', headers, body })
    const { broadcastUrls } = await platform.startBroadcast({ sessionId, outputs: { hls: { dvr: true } } })
    const playlist = broadcastUrls?.hls ?? ''
    await vi.waitUntil(async () => (await fetch(playlist)).ok, PATIENCE)
    await sandbox.stop()
    for (const name of ['480p', '240p', 'audio'])
      for (const file of ['index.m3u8', 'dvr.m3u8']) {
        const text = await (await fetch(new URL(`${name}/${file}`, playlist))).text()
        expect(text, `${name}/${file}`).toMatch(/#EXT-X-ENDLIST\n$/)
      }
  })
})
