import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPlayer, PLAYERS, servePlayers } from '../../../machine/player-page.ts'
import { watchAsViewer } from '../../../machine/viewer.ts'
import { launchChromium } from '../../../support/browsers/chromium.ts'
import { expectValidPlaylist, followPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { expectValidPlaylists } from '../../../support/hls/read-presentation.ts'
import { type LiveSandbox, startLiveSandbox } from '../../../support/rtmp/live-sandbox.ts'

/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 120_000, interval: 100 }
/** Parts that a viewer requests: more than one segment. */
const PARTS = 8

let sandbox: LiveSandbox
beforeAll(async () => {
  sandbox = await startLiveSandbox({}, ['--ladder', '360'])
})
afterAll(() => sandbox.close())

const textOf = async (url: string | URL) => (await fetch(url)).text()
const startsOf = (text: string) =>
  new Map(expectValidPlaylist(text).segments.map(({ number, date }) => [number, Date.parse(date ?? '')]))

async function openLadder(hls: { dvr?: boolean; lowLatency?: boolean }) {
  const live = await sandbox.broadcast({ ...hls, resolution: '1280x720' })
  await vi.waitUntil(async () => (await fetch(live.playlist)).ok, PATIENCE)
  return { ...live, read: (uri: string) => textOf(new URL(uri, live.playlist)) }
}

describe('a broadcast with a ladder', () => {
  it('names its renditions, with audio as a separate one', async () => {
    const { playlist, read, stop } = await openLadder({ lowLatency: true })
    expect(playlist).toMatch(/\/ladder\.m3u8$/)
    const multivariant = await textOf(playlist)
    expect(await expectValidPlaylists(multivariant, read)).toBe(3)
    expect([...multivariant.matchAll(/RESOLUTION=(\d+x\d+)/g)].map(([, size]) => size)).toEqual(['1280x720', '640x360'])
    await Promise.all(
      ['720p', '360p', 'audio'].map(async (name) => {
        const url = new URL(`${name}/index.m3u8`, playlist).href
        expect(await watchAsViewer(url, followPlaylist(name), PARTS)).toBeGreaterThanOrEqual(0)
      }),
    )
    const [large, small] = await Promise.all(['720p', '360p'].map(async (name) => read(`${name}/index.m3u8`)))
    const starts = startsOf(large ?? '')
    for (const [number, start] of startsOf(small ?? '')) expect(starts.get(number) ?? start).toBe(start)
    for (const [text = '', others] of [
      [large, ['360p', 'audio']],
      [small, ['720p', 'audio']],
    ] as const)
      expect([...text.matchAll(/^#EXT-X-RENDITION-REPORT:URI="\.\.\/(\w+)\/index/gm)].map(([, name]) => name)).toEqual(
        others,
      )
    await stop()
    for (const name of ['720p', '360p', 'audio'])
      await vi.waitUntil(async () => (await read(`${name}/index.m3u8`)).endsWith('#EXT-X-ENDLIST\n'), PATIENCE)
    expect(await expectValidPlaylists(await textOf(playlist), read)).toBe(3)
  })

  it('keeps all segments of each rendition with DVR', async () => {
    const { playlist, read, stop } = await openLadder({ dvr: true })
    expect(playlist).toMatch(/\/ladder\.m3u8\?DVR$/)
    const multivariant = await textOf(playlist)
    expect(multivariant).toContain('\n720p/dvr.m3u8\n')
    expect(await expectValidPlaylists(multivariant, read)).toBe(3)
    await stop()
  })

  it('is played by hls.js, Shaka Player and Video.js', async () => {
    const [browser, pages] = await Promise.all([launchChromium(), servePlayers()])
    onTestFinished(async () => {
      await browser.close()
      await pages.close()
    })
    const { playlist, stop } = await openLadder({ lowLatency: true })
    const place = { browser, address: pages.url }
    await Promise.all(
      PLAYERS.map(async (name) => {
        const player = await openPlayer(place, name, { playlist, lowLatency: true })
        await vi.waitUntil(async () => (await player.state()).time > 1, PATIENCE)
        const { time } = await player.state()
        await vi.waitUntil(async () => (await player.state()).time > time + 1, PATIENCE)
        expect([name, (await player.state()).errors, player.complaints]).toEqual([name, [], []])
      }),
    )
    await stop()
  })
})
