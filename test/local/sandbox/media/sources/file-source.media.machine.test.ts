import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFileSource } from '../../../../../local/sandbox/media/sources/file-source.ts'
import { findCells, readCellTimecode } from '../../../../support/media/cells.ts'
import { openMedia, stream } from '../open-media.ts'
import {
  archive,
  audioOf,
  decodersOf,
  framesApart,
  join,
  record,
  recordPattern,
  timecodesAndFlashes,
} from './recorded-sources.ts'

describe('createFileSource', () => {
  it('shows the frame of the time since its publishing in a loop, in sync with its audio', async () => {
    const world = await openMedia()
    const path = await recordPattern(world, 2_000)
    const { codes } = await timecodesAndFlashes(world, path)
    await join(world, path)
    await world.clock.advance(1_700) // time passes while no output draws it
    const recorded = await record(world, 'seen', 3_000)
    const seen = await timecodesAndFlashes(world, recorded)
    expect(seen.codes).toEqual(Array.from({ length: 90 }, (_, index) => codes[(51 + index) % 60]))
    expect(seen.flashes).toEqual([0.8, 1.8, 2.8].map((second) => expect.closeTo(second, 3)))
    for (const apart of framesApart(seen.flashes, await audioOf(world, recorded))) expect(apart).toBeLessThan(1)
  })

  it('is decoded in the drawn size, and continues frame by frame while layouts and outputs change it', async () => {
    const world = await openMedia()
    const { media, clock } = world
    const path = await recordPattern(world, 5_000)
    const { codes } = await timecodesAndFlashes(world, path)
    await join(world, path)
    const small = await archive(world, 'small')
    await clock.advance(1_000)
    await media.caughtUp()
    expect(decodersOf(path)).toEqual(['320:240'])
    media.publish(stream('other'))
    await clock.advance(3_000)
    await media.caughtUp()
    expect(new Set(decodersOf(path))).toEqual(new Set(['160:120'])) // the next pass is started as well
    const large = await archive(world, 'large', { resolution: '640x480' })
    await clock.advance(3_000)
    await media.caughtUp()
    expect(decodersOf(path)).toEqual(['320:240'])
    const [seen, seenLarge] = [await small.finish(), await large.finish()]
    expect((await timecodesAndFlashes(world, seenLarge.path ?? '')).codes).toEqual(
      Array.from({ length: 90 }, (_, index) => codes[(120 + index) % 150]),
    )
    const { codes: all, flashes } = await timecodesAndFlashes(world, seen.path ?? '')
    expect(all).toEqual(Array.from({ length: 210 }, (_, index) => codes[index % 150]))
    expect(flashes.length).toBeGreaterThan(5)
    for (const apart of framesApart(flashes, await audioOf(world, seen.path ?? ''))) expect(apart).toBeLessThan(1)
  })

  it('is decoded as audio only until an output draws it', async () => {
    const world = await openMedia()
    const path = await recordPattern(world, 2_000)
    const { codes } = await timecodesAndFlashes(world, path)
    await join(world, path)
    const heard = await archive(world, 'heard', { hasVideo: false })
    await world.clock.advance(500)
    await world.media.caughtUp()
    expect(decodersOf(path)).toEqual(['audio'])
    const seen = await timecodesAndFlashes(world, await record(world, 'seen', 500))
    expect(seen.codes).toEqual(codes.slice(15, 30))
    await heard.finish()
  })
  it('is visible again a second after a hanging decoder was killed, after ten seconds', async () => {
    const world = await openMedia()
    const path = await recordPattern(world, 4_000)
    const { codes } = await timecodesAndFlashes(world, path)
    const wrapper = joinPath(world.directory, 'ffmpeg')
    await writeFile(
      wrapper,
      `#!/bin/sh\ncd '${world.directory}'\nmkdir hung && exec sleep 60\nexec '${world.ffmpegPath}' "$@"\n`,
    )
    await chmod(wrapper, 0o755)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const source = createFileSource(wrapper, await world.media.openFile(path), 0, 0)
    onTestFinished(() => source.close?.())
    const seen: (number | undefined)[] = []
    const show = async (frame: number) => {
      await source.show(frame, { width: 320, height: 240 })
      const cell = findCells(source.picture).get(0)
      seen.push(cell && readCellTimecode(source.picture, cell))
    }
    const first = show(0)
    await expect.poll(() => readdir(world.directory)).toContain('hung')
    vi.advanceTimersByTime(10_000)
    await first
    for (let frame = 1; frame < 60; frame++) await show(frame)
    const again = seen.findIndex((code) => code !== undefined)
    expect(again).toBeGreaterThan(0)
    expect(again).toBeLessThan(35)
    expect(seen.slice(again)).toEqual(codes.slice(again, 60))
  })
})
