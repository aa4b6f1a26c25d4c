import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspect } from '../../../lib/media/inspect.ts'
import { compositePieces, openComposite } from '../../../lib/publish/composite.ts'
import { keys, parseArchiveKey } from '../../../lib/show/state/keys.ts'
import { picture, tone, useClips } from '../../lib/media/clips.ts'
import { type MadeStream, packArchive, webm } from '../../lib/media/individual/archives.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject } from '../stored-archives.ts'

const clips = useClips()
let world: World
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

const archiveId = '00000000-0000-4000-8000-000000000000'

async function arrive(streams: readonly MadeStream[], keepDays: number | null = null) {
  const zip = await packArchive(streams)
  const key = keys.archive('1', archiveId, 'individual')
  await world.services.storage.put(key, zip, 'application/zip')
  return { bucket: 'media', key, etag: createHash('md5').update(zip).digest('hex'), archiveId, keepDays }
}

describe('composePiece, mixAudio and assembleComposite', () => {
  it('publish one file of all streams, whole only at the end, and the same one each time', async () => {
    const path = await clips.make('both.webm', ...picture(3), ...tone(3), ...webm)
    const streams = [0, 1].map((start) => ({ streamId: `stream-${start}`, path, start, stop: start + 3 }))
    const arrival = await arrive(streams, 14)
    const make = async () => {
      const [first, second, sound] = await Promise.all([
        run(world, 'composePiece', { ...arrival, piece: { index: 0, start: 0, end: 2 } }),
        run(world, 'composePiece', { ...arrival, piece: { index: 1, start: 2, end: 4 } }),
        run(world, 'mixAudio', arrival),
      ])
      expect(sound).toEqual({ hasAudio: true, edition: first.edition })
      expect(second).toEqual({ index: 1, edition: first.edition })
      return run(world, 'assembleComposite', { ...arrival, ...sound, pieces: 2 })
    }
    const { files, composite } = await make()
    const [file] = files
    const bytes = await fetchObject(world, file?.key ?? '')
    expect(file).toEqual({ role: 'composite', key: composite.key, ...digestOf(bytes) })
    expect(composite.key).toEqual(
      expect.stringMatching(`^recordings/${archiveId}/composite/[0-9a-f]{12}/composite.mp4$`),
    )
    expect(parseArchiveKey(composite.key)).toBeUndefined() // else it would start a publish of its own
    expect(await inspect(await world.services.storage.open(composite.key, composite.etag))).toMatchObject({
      moovPosition: 'front',
      duration: expect.closeTo(4, 1),
      video: { codec: 'h264', width: 1280, height: 720, frameRate: 30, keyframes: 2 },
      audio: { codec: 'aac', sampleRate: 48_000 },
    })
    expect((await make()).files).toEqual(files)
  })

  it('make no audio when no stream has any', async () => {
    const path = await clips.make('silent.webm', ...picture(1), ...webm)
    const arrival = await arrive([{ streamId: 'a', path, start: 0, stop: 1 }])
    const { hasAudio, edition } = await run(world, 'mixAudio', arrival)
    expect(hasAudio).toBe(false)
    const assembling = run(world, 'assembleComposite', { ...arrival, edition, pieces: 1, hasAudio })
    await expect(assembling).rejects.toThrow(/piece-0.mp4 is missing/)
    const pieces = compositePieces((await openComposite(arrival, world.services.storage)).plan)
    expect(pieces).toEqual([{ index: 0, start: 0, end: 1 }])
    for (const piece of pieces) await run(world, 'composePiece', { ...arrival, piece })
    const { composite } = await run(world, 'assembleComposite', { ...arrival, edition, pieces: 1, hasAudio })
    const { audio, video } = await inspect(await world.services.storage.open(composite.key, composite.etag))
    expect({ audio, frames: video?.duration }).toEqual({ audio: null, frames: expect.closeTo(1, 3) })
  })
})
