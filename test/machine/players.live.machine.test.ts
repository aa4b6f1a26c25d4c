import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchChromium } from '../support/browsers/chromium.ts'
import { followPlaylist } from '../support/hls/expect-valid-playlist.ts'
import { type LiveBroadcast, type LiveSandbox, startLiveSandbox } from '../support/rtmp/live-sandbox.ts'
import { openPlayer, PLAYERS, type PlayerPage, servePlayers } from './player-page.ts'
import { watchAsViewer } from './viewer.ts'

/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 180_000, interval: 100 }
/** Seconds of the broadcast for which a viewer receives nothing. */
const STALL = 10
/** Seconds of the broadcast for which a viewer pauses. */
const PAUSE = 3
/** Seconds by which a position may differ after a pause. */
const SOON = 0.5
const VIEWERS = 20
/** Seconds behind the end of the playlist in which a viewer is live. */
const LIVE = 4
/** Parts that each of them requests: more than one segment. */
const PARTS = 8
/** Seconds after which delta updates leave segments out. */
const SKIPPED = 10

let sandbox: LiveSandbox
let browser: Browser
let pages: Awaited<ReturnType<typeof servePlayers>>
beforeAll(async () => {
  ;[sandbox, browser, pages] = await Promise.all([startLiveSandbox({}), launchChromium(), servePlayers()])
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
  await sandbox?.close()
})

/** Starts a broadcast, and plays it with every player at once. */
async function playEverywhere(hls: { dvr?: boolean; lowLatency?: boolean }) {
  const live = await sandbox.broadcast(hls)
  await vi.waitUntil(async () => (await fetch(live.playlist)).ok, PATIENCE)
  const place = { browser, address: pages.url }
  const players = await Promise.all(PLAYERS.map((name) => openPlayer(place, name, { playlist: live.playlist, ...hls })))
  await Promise.all(players.map(playsOn))
  return { live, players }
}

/** Waits until a player has played a second more. */
async function playsOn(player: PlayerPage): Promise<void> {
  const { time } = await player.state()
  await vi.waitUntil(async () => (await player.state()).time > time + 1, PATIENCE)
}

/** Lets players receive nothing until each is out of media and the broadcast is so many seconds older, then play on. */
async function interrupt(players: readonly PlayerPage[], live: LiveBroadcast, how: 'hold' | 'abort', seconds: number) {
  const ends = await Promise.all(players.map((player) => player.interrupt(how)))
  await live.goOn(seconds)
  for (const player of players) await vi.waitUntil(async () => (await player.state()).isDry, PATIENCE)
  await Promise.all(ends.map((end) => end()))
  await Promise.all(players.map(playsOn))
}

async function expectNoErrors(players: readonly PlayerPage[]) {
  const found = await Promise.all(
    players.map(async (player) => [...(await player.state()).errors, ...player.complaints]),
  )
  expect(Object.fromEntries(PLAYERS.map((name, index) => [name, found[index]]))).toEqual(
    Object.fromEntries(PLAYERS.map((name) => [name, []])),
  )
}

/** Expects a player to stay where it is while the broadcast continues, and to continue from there. */
async function pauses(player: PlayerPage, live: LiveBroadcast): Promise<void> {
  await player.pause()
  const paused = await player.state()
  await live.goOn(PAUSE)
  const resumed = await player.state()
  expect(Math.abs(resumed.time - paused.time)).toBeLessThan(SOON)
  await player.resume()
  await vi.waitUntil(async () => (await player.state()).time > resumed.time + 1, PATIENCE)
  const { time, at } = await player.state()
  expect(time - resumed.time, 'seconds that were played').toBeLessThan(at - resumed.at + SOON)
}

describe('hls.js, Shaka Player, Video.js and the watch page', () => {
  it(`play low latency, also after a broken connection and beside ${VIEWERS} viewers`, async () => {
    const { live, players } = await playEverywhere({ lowLatency: true })
    await interrupt(players, live, 'abort', SKIPPED)
    const viewers = Array.from({ length: VIEWERS }, () => watchAsViewer(live.playlist, followPlaylist(), PARTS))
    for (const deltas of await Promise.all(viewers)) expect(deltas).toBeGreaterThan(0)
    const watch = players[PLAYERS.indexOf('watch')]
    await vi.waitUntil(async () => ((await watch?.state())?.behind ?? SKIPPED) < LIVE, PATIENCE)
    await Promise.all(players.map(playsOn))
    await live.stop()
    await expectNoErrors(players)
  })

  it('play on after a stall of 10 s, seek back to the start of a broadcast with DVR, pause, and go live', async () => {
    const { live, players } = await playEverywhere({ dvr: true })
    await interrupt(players, live, 'hold', STALL)
    await Promise.all(
      players.map(async (player) => {
        const before = await player.state()
        await player.seek(before.start + 0.5)
        await playsOn(player)
        expect((await player.state()).time).toBeLessThan(before.time)
        await pauses(player, live)
        await player.goLive()
        await vi.waitUntil(async () => (await player.state()).time > before.time, PATIENCE)
        await playsOn(player)
      }),
    )
    await live.stop()
    await expectNoErrors(players)
  })
})
