import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aac, h264, picture, tone, useClips } from '../../lib/media/clips.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run, runAnyhow } from '../run.ts'
import { digestOf, fetchObject, storeArchive } from '../stored-archives.ts'

const clips = useClips()
let world: World
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

describe('makeThumbnails', () => {
  it('publishes sheets and the WebVTT beside them, the same when it is repeated', async () => {
    const movie = await readFile(await clips.make('movie.mp4', ...picture(4), ...h264))
    const input = await storeArchive(world, movie)
    const { files } = await run(world, 'makeThumbnails', input)
    expect(files.map(({ role, key }) => [role, key.replace(/\/[0-9a-f]{12}\//, '/edition/')])).toEqual([
      ['sprite', `recordings/${input.archiveId}/thumbnails/edition/sprite-1.jpg`],
      ['thumbnails', `recordings/${input.archiveId}/thumbnails/edition/thumbnails.vtt`],
    ])
    for (const file of files) expect(file).toMatchObject(digestOf(await fetchObject(world, file.key)))
    expect((await run(world, 'makeThumbnails', input)).files).toEqual(files)
  })

  it('publishes none of a recording without video', async () => {
    const input = await storeArchive(world, await readFile(await clips.make('audio.mp4', ...tone(1), ...aac)))
    expect(await run(world, 'makeThumbnails', input)).toMatchObject({ files: [] })
  })

  it.each(['makePoster', 'makeThumbnails', 'encodePiece'] as const)(
    'has %s fail as a fault of the configuration, and blames no recording, with an ffmpeg that lacks an option',
    async (task) => {
      const lacking = join(clips.directory, 'lacking')
      await writeFile(
        lacking,
        `#!/bin/sh\ncase "$*" in *-version) exec ${clips.ffmpegPath} -version;; esac\n` +
          `echo "Unrecognized option 'fps_mode'." >&2; echo "Error splitting the argument list: Option not found" >&2; exit 8\n`,
      )
      await chmod(lacking, 0o755)
      const other = openWorld({ FFMPEG_PATH: lacking })
      try {
        const input = await storeArchive(other, await readFile(await clips.make('movie.mp4', ...picture(4), ...h264)))
        const piece = { piece: { index: 0, start: 0, end: 4 }, picture: { width: 320, height: 240 } }
        const ladder = [{ name: '64p', height: 64, maxVideoBitrate: 100_000 }]
        await expect(runAnyhow(other, task, { ...input, ...piece, ladder })).rejects.toMatchObject({
          name: 'TaskConfigError',
          message: expect.stringMatching(/^ffmpeg \S+ at \S+lacking lacks a needed feature \(Unrecognized option/),
        })
      } finally {
        await other.close()
      }
    },
  )
})
