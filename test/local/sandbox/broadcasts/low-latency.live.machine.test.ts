import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { attempt } from '../../../support/browsers/attempt.ts'
import { type LiveSandbox, startLiveSandbox } from '../../../support/rtmp/live-sandbox.ts'
import { openLivePage } from './live-page.ts'

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

/** Returns the number of the newest complete segment, and the parts behind it. */
function edgeOf(playlist: string) {
  const [, segment, part] = /PRELOAD-HINT:TYPE=PART,URI="part-(\d+)\.(\d+)\.m4s"/.exec(playlist) ?? []
  return { segment: Number(segment), part: Number(part), hint: `part-${segment}.${part}.m4s` }
}

describe('a broadcast with low latency', () => {
  it('holds requests until the next part, and refuses those that are too far ahead', async () => {
    const { playlist, stop } = await openLive({ lowLatency: true })
    const { segment, part, hint } = edgeOf(await (await fetch(playlist)).text())
    const media = fetch(new URL(hint, playlist))
    const held = await fetch(`${playlist}?_HLS_msn=${segment}&_HLS_part=${part}`)
    expect(held.headers.get('cache-control')).toBe('public, max-age=12')
    expect(held.headers.get('content-encoding')).toBe('gzip')
    expect(held.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    expect(await held.text()).toContain(`"${hint}"`)
    const announced = Buffer.from(await (await media).arrayBuffer())
    expect(announced.toString('latin1', 4, 8)).toBe('moof')
    expect((await fetch(`${playlist}?_HLS_msn=${segment + 9_999}`)).status).toBe(400)
    expect((await fetch(`${playlist}?_HLS_part=1`)).status).toBe(400)
    const last = fetch(`${playlist}?_HLS_msn=${segment + 1}&_HLS_part=0`)
    await stop()
    expect(await (await last).text()).toMatch(/part-\d+\.0\.m4s"|#EXT-X-ENDLIST/)
    await vi.waitUntil(async () => (await (await fetch(playlist)).text()).endsWith('#EXT-X-ENDLIST\n'), PATIENCE)
  })

  it('is played by hls.js from parts, a second and a half behind', async () => {
    await attempt(async () => {
      const { playlist, stop } = await openLive({ lowLatency: true })
      const { page, see, errors, close } = await openLivePage(playlist)
      const latencies: number[] = []
      for (let seen = 0; seen < 10; seen++) {
        await sleep(300)
        const latency = await see()
        if (latency !== undefined) latencies.push(latency)
      }
      const requests = await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)
      const complaints = await errors()
      await close()
      await stop()
      expect(requests).toContainEqual(expect.stringMatching(/_HLS_msn=\d+&_HLS_part=\d/))
      expect(requests).toContainEqual(expect.stringMatching(/part-\d+\.\d\.m4s$/))
      expect(complaints.filter((text) => text.includes('fatal'))).toEqual([])
      expect(latencies.length).toBeGreaterThan(5)
      expect(Math.min(...latencies)).toBeLessThan(MAX_LATENCY)
    })
  })
})

describe('a broadcast with DVR', () => {
  it('is sought back to its start and to the live edge by hls.js', async () => {
    await attempt(async () => {
      const live = await openLive({ dvr: true })
      await live.goOn(8)
      const { page, see, errors, close } = await openLivePage(live.playlist)
      await vi.waitUntil(async () => (await see()) !== undefined, PATIENCE)
      await page.evaluate('seek(0)')
      await vi.waitUntil(
        async () => ((await page.evaluate('video.currentTime')) as number) < 3 && (await see()),
        PATIENCE,
      )
      const atStart = (await see()) ?? 0
      await page.evaluate('seek(hls.liveSyncPosition)')
      await vi.waitUntil(async () => ((await see()) ?? Infinity) < atStart - 2_000, PATIENCE)
      const complaints = await errors()
      await close()
      await live.stop()
      expect(complaints.filter((text) => text.includes('fatal'))).toEqual([])
    })
  })
})
