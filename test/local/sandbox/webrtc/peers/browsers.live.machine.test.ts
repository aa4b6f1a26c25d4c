import { expect, it, onTestFinished } from 'vitest'
import { type Delays, delaysIn, skewOf, spreadOf } from '../../../../../bin/soak/live/archive-sync.ts'
import { findChromium, joinByBrowser } from '../../../../../bin/soak/live/browser-participant.ts'
import { makeFlashFiles, PERIOD, TONES } from '../../../../../bin/soak/live/flash-files.ts'
import { realClock } from '../../../../../lib/clock.ts'
import { arrangeStreams } from '../../../../../lib/platform/layouts/layouts.ts'
import { GONE, openBadNetwork } from '../../../../support/bad-network.ts'
import { attempt } from '../../../../support/browsers/attempt.ts'
import { eventually } from '../open-doors.ts'
import { openRecording } from '../open-recording.ts'

/** Opens a session with the means to join it by Chromium, which publishes a flash and a beep every two seconds. */
async function openFlashes() {
  const world = await openRecording()
  const { ffmpegPath, directory, clientToken, streams, door } = world
  const executablePath = await findChromium()
  const joined: Awaited<ReturnType<typeof joinByBrowser>>[] = []

  async function join(through = (address: string) => address): Promise<void> {
    const files = await makeFlashFiles(ffmpegPath, directory, TONES[joined.length] ?? 0)
    const options = { executablePath, files, address: through(door('whip')), token: await clientToken() }
    const participant = await joinByBrowser(options)
    joined.push(participant)
    onTestFinished(participant.close)
    await eventually(streams, ({ length }) => length === joined.length)
  }
  /** Finds the flashes and beeps of each participant in an archive. */
  async function find({ path, createdAt }: { path: string; createdAt: number }): Promise<Delays[]> {
    const placeable = joined.map(() => ({ videoType: 'camera', layoutClasses: [] }) as const)
    const cells = arrangeStreams({ type: 'bestFit' }, placeable, 640, 480).map(({ cell }) => cell)
    const found: Delays[] = []
    for (const [index, cell] of cells.entries()) {
      const observed = (await joined[index]?.observed()) ?? { flashes: [], beeps: [] }
      found.push(await delaysIn(ffmpegPath, path, createdAt, { cell, tone: TONES[index] ?? 0, observed }))
    }
    return found
  }
  return { ...world, join, find }
}

it('three browsers are in sync in a composed archive, each with itself and with the others', async () => {
  const { join, find, recordFile } = await openFlashes()
  for (const _ of TONES) await join()
  await attempt(async () => {
    const found = await find(await recordFile(10))
    for (const { flashes, beeps } of found) expect(Math.min(flashes.length, beeps.length)).toBeGreaterThanOrEqual(4)
    for (const one of found) expect(Math.abs(skewOf(one))).toBeLessThanOrEqual(40)
    expect(spreadOf(found)).toBeLessThanOrEqual(100)
  })
})

it('an archive is complete and in sync with 5 % loss and 80 ms of jitter, and after ten seconds without a network', async () => {
  const { join, find, recordFile, url, moderator } = await openFlashes()
  const network = await openBadNetwork(url)
  await join(network.through)
  const bad = { loss: 0.05, jitter: 80 }
  const [lasts, gone] = [8_000, 10_000]
  await attempt(async () => {
    let goneAt = Infinity
    network.set(bad)
    const archive = await recordFile((2 * lasts + gone) / 1000, async () => {
      await realClock.sleep(lasts)
      goneAt = realClock.now()
      network.set(GONE)
      await realClock.sleep(gone)
      network.set(bad)
    })
    const [all = { flashes: [], beeps: [] }] = await find(archive)
    const within = (from: number, to: number): Delays => ({
      flashes: all.flashes.filter(({ captured }) => captured > from && captured < to),
      beeps: all.beeps.filter(({ captured }) => captured > from && captured < to),
    })
    const before = within(-Infinity, goneAt - 500)
    const after = within(goneAt + gone, Infinity)
    for (const part of [before, after]) {
      expect(part.flashes.length).toBeGreaterThanOrEqual(lasts / 1000 / PERIOD - 2)
      expect(part.beeps.length).toBeGreaterThanOrEqual(lasts / 1000 / PERIOD - 2)
      expect(Math.abs(skewOf(part))).toBeLessThanOrEqual(40)
    }
    expect(within(goneAt + 100, goneAt + gone - 100)).toEqual({ flashes: [], beeps: [] })
  })
  expect(network.passed.lost).toBeGreaterThan(100)
  expect(moderator.events.filter(({ type }) => type === 'streamDestroyed')).toEqual([])
})
