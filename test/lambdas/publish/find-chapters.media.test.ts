import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { h264, lavfi, useClips } from '../../lib/media/clips.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject, storeArchive } from '../stored-archives.ts'

const clips = useClips()
let world: World
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

describe('findChapters', () => {
  it('publishes chapters that begin where black and silence end', async () => {
    const parts = "testsrc=size=160x120:rate=1:duration=200,drawbox=t=fill:c=black:enable='between(t,100,103)'"
    const path = await clips.make('parts.mp4', ...lavfi(parts), ...h264, '-g', '2')
    const input = { ...(await storeArchive(world, await readFile(path))), duration: 200 }
    const { files } = await run(world, 'findChapters', { ...input, silences: [{ start: 90, end: 103.5 }], markers: [] })
    const [file] = files
    const text = await fetchObject(world, file?.key ?? '')
    expect(file).toEqual({
      role: 'chapters',
      key: expect.stringMatching(/^recordings\/[0-9a-f-]+\/chapters\/[0-9a-f]{12}\/chapters\.vtt$/),
      ...digestOf(text),
    })
    expect(text.toString()).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:01:43.500\nChapter 1\n\n00:01:43.500 --> 00:03:20.000\nChapter 2\n',
    )
  })

  it('publishes none of a recording that nothing parts', async () => {
    const path = await clips.make('whole.mp4', ...lavfi('testsrc=size=160x120:rate=1:duration=100'), ...h264)
    const input = { ...(await storeArchive(world, await readFile(path))), duration: 100, silences: [], markers: [] }
    expect(await run(world, 'findChapters', input)).toMatchObject({ files: [] })
  })

  it('publishes chapters at the markers instead', async () => {
    const input = { ...(await storeArchive(world, Buffer.from('not read'))), duration: 100 }
    const markers = [{ at: 40, title: 'Talk' }]
    const { files } = await run(world, 'findChapters', { ...input, silences: [{ start: 60, end: 90 }], markers })
    expect((await fetchObject(world, files[0]?.key ?? '')).toString()).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:40.000\nChapter 1\n\n00:00:40.000 --> 00:01:40.000\nTalk\n',
    )
  })
})
