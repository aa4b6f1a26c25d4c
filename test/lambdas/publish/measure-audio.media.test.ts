import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspect } from '../../../lib/media/inspect.ts'
import { aac, h264, inMemory, lavfi, picture, useClips } from '../../lib/media/clips.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject, storeArchive } from '../stored-archives.ts'

const clips = useClips()
let world: World
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

describe('copyAudio and measureAudio', () => {
  it('publish the audio alone and its waveform, and say how loud and where silent it is', async () => {
    const pausing = lavfi("sine=frequency=440:sample_rate=48000:duration=5,volume='if(gt(t,2),0,1)':eval=frame")
    const movie = await clips.make('movie.mp4', ...picture(5), ...pausing, ...h264, ...aac)
    const input = await storeArchive(world, await readFile(movie))
    const copied = await run(world, 'copyAudio', input)
    const toMeasure = { ...input, audio: copied.files[0]?.key ?? '' }
    const measured = await run(world, 'measureAudio', toMeasure)
    const { loudness, silences } = measured
    const files = [...copied.files, ...measured.files]
    expect(files.map(({ role, key }) => [role, key.replace(/\/[0-9a-f]{12}\//, '/edition/')])).toEqual([
      ['audio', `recordings/${input.archiveId}/audio/edition/audio.m4a`],
      ['waveform', `recordings/${input.archiveId}/waveform/edition/waveform.json`],
    ])
    const [copy, waveform] = await Promise.all(files.map(({ key }) => fetchObject(world, key)))
    expect(files).toMatchObject([copy, waveform].map((bytes) => digestOf(bytes ?? Buffer.alloc(0))))
    expect(await inspect(inMemory(copy ?? Buffer.alloc(0)))).toMatchObject({ video: null, moovPosition: 'front' })
    expect(JSON.parse(String(waveform))).toMatchObject({ version: 2, sample_rate: 48_000, bits: 8 })
    expect(loudness?.integrated).toBeGreaterThan(-30)
    expect(silences).toEqual([{ start: expect.closeTo(2, 1), end: expect.closeTo(5, 1) }])
    expect(await run(world, 'copyAudio', input)).toEqual(copied)
    expect(await run(world, 'measureAudio', toMeasure)).toEqual(measured)
  })

  it('publish none of a recording without audio', async () => {
    const input = await storeArchive(world, await readFile(await clips.make('mute.mp4', ...picture(1), ...h264)))
    expect(await run(world, 'copyAudio', input)).toEqual({ files: [] })
  })
})
