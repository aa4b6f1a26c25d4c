import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLivePage } from '../../../../bench/live-hls/live-page.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { collectComplaints } from '../../../support/browsers/complaints.ts'
import { expectValidPlaylist } from '../../../support/hls/expect-valid-playlist.ts'
import { type LiveSandbox, startLiveSandbox } from '../../../support/rtmp/live-sandbox.ts'
import { findTool } from '../../../support/tools.ts'

/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 120_000, interval: 100 }
/** Milliseconds from a frame in the sandbox to the same frame on the page. Segments of 2 s alone would make it six seconds. */
const MAX_LATENCY = 3_500

let sandbox: LiveSandbox
beforeAll(async () => {
  sandbox = await startLiveSandbox({})
})
afterAll(() => sandbox.close())

/** Starts a broadcast, and waits for its playlist. */
async function openLive(hls: { dvr?: boolean; lowLatency?: boolean }) {
  const live = await sandbox.broadcast(hls)
  await vi.waitUntil(async () => (await fetch(live.playlist)).ok, PATIENCE)
  return live
}

/** Opens the player of the watch page in Chromium. */
async function open(live: Parameters<typeof openLivePage>[1]) {
  const opened = await openLivePage(await findTool('chromium', 'chromium'), live)
  onTestFinished(opened.close)
  return opened
}

/** Returns the number of the newest complete segment, and the parts behind it. */
function edgeOf(playlist: string) {
  expectValidPlaylist(playlist)
  const [, segment, part] = /PRELOAD-HINT:TYPE=PART,URI="part-(\d+)\.(\d+)\.m4s"/.exec(playlist) ?? []
  return { segment: Number(segment), part: Number(part), hint: `part-${segment}.${part}.m4s` }
}

describe('a broadcast with low latency', () => {
  it('holds requests until the next part, and refuses those that are too far ahead', async () => {
    const { playlist, stop } = await openLive({ lowLatency: true })
    const { segment, part, hint } = edgeOf(await (await fetch(playlist)).text())
    const media = fetch(new URL(hint, playlist))
    const held = await fetch(`${playlist}?_HLS_msn=${segment}&_HLS_part=${part}`)
    expect(held.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=12')
    expect(held.headers.get('content-encoding')).toBe('gzip')
    expect(held.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    const answer = await held.text()
    expectValidPlaylist(answer)
    expect(answer).toContain(`"${hint}"`)
    const announced = Buffer.from(await (await media).arrayBuffer())
    expect(announced.toString('latin1', 4, 8)).toBe('moof')
    expect((await fetch(`${playlist}?_HLS_msn=${segment + 9_999}`)).status).toBe(400)
    expect((await fetch(`${playlist}?_HLS_part=1`)).status).toBe(400)
    const last = fetch(`${playlist}?_HLS_msn=${segment + 1}&_HLS_part=0`)
    await stop()
    expect(await (await last).text()).toMatch(/part-\d+\.0\.m4s"|#EXT-X-ENDLIST/)
    const ended = await vi.waitUntil(async () => {
      const text = await (await fetch(playlist)).text()
      return text.endsWith('#EXT-X-ENDLIST\n') && text
    }, PATIENCE)
    expectValidPlaylist(ended)
  })

  it('is played by the player of the watch page, from parts', async () => {
    await attempt(async () => {
      const { playlist, stop } = await openLive({ lowLatency: true })
      const { page, latency } = await open({ playlist, dvr: false, lowLatency: true })
      const complaints = collectComplaints(page)
      const latencies: number[] = []
      while (latencies.length < 8) {
        await sleep(300)
        const seen = await latency()
        if (seen !== undefined) latencies.push(seen)
      }
      const requests = await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)
      await stop()
      expect(requests).toContainEqual(expect.stringMatching(/_HLS_msn=\d+&_HLS_part=\d/))
      expect(requests).toContainEqual(expect.stringMatching(/part-\d+\.\d\.m4s$/))
      expect(complaints).toEqual([])
      expect(Math.min(...latencies)).toBeLessThan(MAX_LATENCY)
    })
  })
})

describe('a broadcast with DVR', () => {
  it('is sought back to its start and to the live edge', async () => {
    await attempt(async () => {
      const live = await openLive({ dvr: true })
      await live.goOn(8)
      const { page, latency } = await open({ playlist: live.playlist, dvr: true, lowLatency: false })
      const seen = () => vi.waitUntil(latency, PATIENCE)
      await seen()
      await page.evaluate('video.currentTime = 0')
      await vi.waitUntil(async () => Number(await page.evaluate('video.currentTime')) < 3, PATIENCE)
      const atStart = await seen()
      await page.evaluate('player.catchUp()')
      await vi.waitUntil(async () => (await seen()) < atStart - 2_000, PATIENCE)
      await live.stop()
    })
  })
})
