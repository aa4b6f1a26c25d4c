import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aac, h264, picture, tone, useClips } from '../lib/media/clips.ts'
import { openWorld, type World } from '../support/world.ts'
import { arriveAlone, described, fetchObject } from './arriving.ts'
import { run } from './run.ts'

const clips = useClips()
let world: World
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

describe('makeThumbnails', () => {
  it('publishes sheets and the WebVTT beside them, the same when it is repeated', async () => {
    const movie = await readFile(await clips.make('movie.mp4', ...picture(4), ...h264))
    const input = await arriveAlone(world, movie)
    const { files } = await run(world, 'makeThumbnails', input)
    expect(files.map(({ role, key }) => [role, key.replace(/\/[0-9a-f]{12}\//, '/edition/')])).toEqual([
      ['sprite', `recordings/${input.archiveId}/thumbnails/edition/sprite-1.jpg`],
      ['thumbnails', `recordings/${input.archiveId}/thumbnails/edition/thumbnails.vtt`],
    ])
    for (const file of files) expect(file).toMatchObject(described(await fetchObject(world, file.key)))
    expect((await run(world, 'makeThumbnails', input)).files).toEqual(files)
  })

  it('publishes none of a recording without video', async () => {
    const input = await arriveAlone(world, await readFile(await clips.make('sound.mp4', ...tone(1), ...aac)))
    expect(await run(world, 'makeThumbnails', input)).toMatchObject({ files: [] })
  })
})
