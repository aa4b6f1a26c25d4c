import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { aac, h264, picture, tone, useClips } from '../../lib/media/clips.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject, storeArchive } from '../stored-archives.ts'

const clips = useClips()
let world: World
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

const piece = { index: 0, start: 0, end: 3 }
const folder = (archiveId: string, edition: string) => (file: string) => keys.published(archiveId, 'hls', edition, file)

describe('cutPiece', () => {
  it('stores an object for each track, and an index of its segments', async () => {
    const movie = await readFile(await clips.make('movie.mp4', ...picture(3), ...tone(3), ...h264, ...aac))
    const arrival = await storeArchive(world, movie)
    const { index, edition } = await run(world, 'cutPiece', { ...arrival, piece })
    expect(index).toBe(0)
    const inFolder = folder(arrival.archiveId, edition)
    const document = JSON.parse(String(await fetchObject(world, inFolder('index-0.json'))))
    expect(document.tracks.map(({ name }: { name: string }) => name)).toEqual(['video', 'audio'])
    for (const { name, media, init, segments } of document.tracks) {
      expect(media).toEqual(digestOf(await fetchObject(world, inFolder(`${name}-0.mp4`))))
      expect(init).toEqual(digestOf(await fetchObject(world, inFolder(`${name}-init.mp4`))))
      expect(segments).toEqual([
        { start: expect.closeTo(0, 1), duration: expect.closeTo(3, 1), offset: 0, size: media.size },
      ])
    }
  })

  it('stores nothing of a truncated file, and reports it', async () => {
    const movie = await readFile(await clips.make('long.mp4', ...picture(3), ...h264, '-movflags', '+faststart'))
    const cut = Buffer.from(movie.subarray(0, movie.length - 2000))
    const mdat = cut.indexOf('mdat') - 4
    cut.writeUInt32BE(cut.length - mdat, mdat)
    const arrival = await storeArchive(world, cut)
    const { missing } = await run(world, 'cutPiece', { ...arrival, piece })
    const problem = 'No HLS: the file is cut off: its index lists packets beyond its end.'
    expect(missing).toEqual({ format: 'hls', problem })
    const prefix = `recordings/${arrival.archiveId}/hls/`
    expect((await world.services.storage.list(prefix, { limit: 10 })).keys).toEqual([])
  })
})
