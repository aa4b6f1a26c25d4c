import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../../../../lib/media/ffmpeg/ffmpeg.ts'
import { frameAt } from '../../../../../local/sandbox/media/timebase.ts'
import { processesWith } from '../../../../support/processes.ts'
import { readZip } from '../../../../support/zip.ts'
import { openMedia, START, stream } from '../open-media.ts'
import {
  archive,
  audioOf,
  cut,
  decodersOf,
  framesApart,
  join,
  record,
  recordPattern,
  timecodesAndFlashes,
} from './recorded-sources.ts'

describe('createFileSource', () => {
  it('keeps picture and audio of an mp4 in sync for ten minutes', async () => {
    const world = await openMedia()
    const path = await recordPattern(world, 7_300)
    const { codes } = await timecodesAndFlashes(world, path)
    expect(codes).toHaveLength(219)
    await join(world, path)
    const recorded = await record(world, 'seen', 600_000)
    const audio = await audioOf(world, recorded)
    for (const from of [0, 300, 590]) {
      const { codes: seen, flashes } = await timecodesAndFlashes(world, recorded, { from, seconds: 10 })
      expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => codes[(from * 30 + index) % 219]))
      expect(flashes.length).toBeGreaterThan(8)
      for (const apart of framesApart(flashes, cut(audio, from, 10))) expect(apart).toBeLessThan(1)
    }
  })

  it('shows a webm in sync from any frame', async () => {
    const world = await openMedia()
    const mp4 = await recordPattern(world, 5_000)
    const webm = joinPath(world.directory, 'pattern.webm')
    await runFfmpeg(world.ffmpegPath, [
      '-i',
      mp4,
      '-c:v',
      'libvpx',
      '-b:v',
      '2M',
      '-deadline',
      'realtime',
      '-c:a',
      'libopus',
      webm,
    ])
    const { codes } = await timecodesAndFlashes(world, mp4)
    const { frames } = await join(world, webm)
    const since = frameAt(world.clock.now())
    for (const [index, wait] of [1_000, 61_234].entries()) {
      await world.clock.advance(wait)
      const first = frameAt(world.clock.now()) - since
      const recorded = await record(world, `seen-${index}`, 2_000)
      const { codes: seen, flashes } = await timecodesAndFlashes(world, recorded)
      // Its audio is a little longer: the last picture stays for that.
      expect(seen).toEqual(Array.from({ length: 60 }, (_, frame) => codes[Math.min(149, (first + frame) % frames)]))
      for (const apart of framesApart(flashes, await audioOf(world, recorded))) expect(apart).toBeLessThan(1)
    }
  })

  it('is black and silent after a cut in the file, and starts again with the next pass', async () => {
    const world = await openMedia()
    const pattern = await recordPattern(world, 4_000)
    const path = joinPath(world.directory, 'broken.mp4')
    await runFfmpeg(world.ffmpegPath, ['-i', pattern, '-c', 'copy', '-movflags', '+faststart', path])
    await join(world, path)
    await truncate(path, Math.round((await stat(path)).size * 0.6))
    const recorded = await record(world, 'seen', 5_000)
    const { codes } = await timecodesAndFlashes(world, recorded)
    const audio = await audioOf(world, recorded)
    const dark = codes.indexOf(undefined)
    expect(dark).toBeGreaterThan(45)
    expect(codes.slice(dark, 120)).toEqual(Array(120 - dark).fill(undefined))
    expect(codes.slice(120)).toEqual(codes.slice(0, 30))
    expect(audio.subarray(dark * 1_600, 119 * 1_600).every((sample) => Math.abs(sample) < 100)).toBe(true)
  })

  it('is recorded individually in full size, exact to the frame, with the same bytes each time', async () => {
    const recordings = []
    for (let time = 0; time < 2; time++) {
      const world = await openMedia()
      const path = await recordPattern(world, 6_000)
      await join(world, path)
      world.media.publish(stream('other'))
      const composed = await archive(world, 'composed')
      await world.clock.advance(3_500)
      await world.media.caughtUp()
      expect(new Set(decodersOf(path))).toEqual(new Set(['160:120']))
      const spec = { id: 'individual', sessionId: 'session', createdAt: START, hasAudio: true, hasVideo: true }
      const individual = await world.media.startIndividualArchive(spec)
      await world.clock.advance(6_000)
      const zip = await individual.finish()
      const webm = joinPath(world.directory, 'file.webm')
      await writeFile(webm, readZip(await readFile(zip.path ?? '')).get('file.webm') ?? '')
      const { codes } = await timecodesAndFlashes(world, path)
      const { codes: seen } = await timecodesAndFlashes(world, webm)
      expect(seen).toEqual(Array.from({ length: 180 }, (_, index) => codes[(105 + index) % 180]))
      recordings.push([zip.sha256, (await composed.finish()).sha256])
    }
    expect(recordings[1]).toEqual(recordings[0])
  })

  it('leaves no process when it is unpublished or the engine is closed', async () => {
    const world = await openMedia()
    const path = await recordPattern(world, 2_000)
    const decoders = () => processesWith(`file:${path}`)
    await join(world, path)
    await record(world, 'first', 1_000)
    expect(decoders().length).toBeGreaterThan(0)
    world.media.unpublish('session', 'file')
    await world.media.caughtUp()
    await expect.poll(decoders).toEqual([])
    await join(world, path)
    await record(world, 'second', 1_000)
    expect(decoders().length).toBeGreaterThan(0)
    await world.media.close()
    expect(decoders()).toEqual([])
  })
})
