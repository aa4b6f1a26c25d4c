import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { frameAt } from '../../../../local/sandbox/media/timebase.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { readZip } from '../../../support/zip.ts'
import { openMedia, START, stream } from './open-media.ts'

const SIZE = { width: 640, height: 480 }
const FRAME = 1 / 30
const HOURS = 12
/** Milliseconds from `START` into a flash, which begins after half a second. */
const TO_A_FLASH = 533
const FRAMES_TO_IT = 16

async function open() {
  const { media, clock, directory, ffmpegPath } = await openMedia()
  media.publish(stream('a'))
  const spec = { sessionId: 'session', hasAudio: true, hasVideo: true }
  const start = (id: string, more = {}) =>
    media.startArchive({ ...spec, id, resolution: '640x480', layout: { type: 'bestFit' }, ...more })
  const startIndividual = (id: string, more = {}) =>
    media.startIndividualArchive({ ...spec, id, createdAt: START, ...more })
  const measure = async (id: string) => {
    const path = join(directory, `${id}.mp4`)
    const pictures = await decodePictures(ffmpegPath, path, SIZE)
    const codes = pictures.map((picture) => readCellTimecode(picture, findCells(picture).get(0) as never))
    const audio = await decodeAudio(ffmpegPath, path)
    return { codes, flashes: flashOnsets(pictures, 0), beeps: beepOnsets(audio, 0) }
  }
  return { media, clock, directory, start, startIndividual, measure }
}

/** Returns the timecodes of participants from one frame since `START` to another. */
const run = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => (frameAt(START) + from + index) % 2 ** 24)

describe('an archive that pauses', () => {
  it('contains nothing of a long pause, and spends no time on it', async () => {
    const { clock, start, measure } = await open()
    const recorder = await start('paused')
    await clock.advance(TO_A_FLASH)
    recorder.pause()
    expect(clock.nextDue()).toBeUndefined() // the engine sleeps
    await clock.advance(HOURS * 3_600_000 + 200)
    recorder.resume()
    expect(clock.nextDue()).toBeLessThan(clock.now() + 2 * FRAME * 1000)
    await clock.advance(1_000)
    expect((await recorder.finish()).seconds).toBeCloseTo((FRAMES_TO_IT + 30) * FRAME)
    const { codes, flashes, beeps } = await measure('paused')
    const resumed = 30 * HOURS * 3_600 + 22
    expect(codes).toEqual([...run(0, FRAMES_TO_IT), ...run(resumed, resumed + 30)])
    expect(flashes).toEqual([15, FRAMES_TO_IT + 23])
    expect(beeps.at(-1)).toBeCloseTo((FRAMES_TO_IT + 23) * FRAME, 2)
  })

  it('redraws the changes during the pause, while others continue', async () => {
    const { clock, start, measure } = await open()
    const [recorder, other] = [await start('paused'), await start('other')]
    await clock.advance(TO_A_FLASH)
    recorder.pause()
    await clock.advance(200)
    recorder.resume()
    await clock.advance(1_000)
    await Promise.all([recorder.finish(), other.finish()])
    expect((await measure('paused')).flashes).toEqual([15, FRAMES_TO_IT + 23])
    expect((await measure('other')).flashes).toEqual([15, 45])
  })

  it('may start paused, and contains nothing before it is resumed', async () => {
    const { clock, directory, start, startIndividual, measure } = await open()
    const recorders = [
      await start('composed', { isPaused: true }),
      await startIndividual('individual', { isPaused: true }),
    ]
    expect(clock.nextDue()).toBeUndefined()
    await clock.advance(700)
    for (const recorder of recorders) recorder.resume()
    await clock.advance(500)
    for (const { seconds } of await Promise.all(recorders.map((recorder) => recorder.finish())))
      expect(seconds).toBe(0.5)
    expect((await measure('composed')).codes).toEqual(run(21, 36))
    const zip = readZip(await readFile(join(directory, 'individual.zip')))
    const manifest = JSON.parse(String(zip.get('individual.json')))
    expect(manifest.files).toMatchObject([{ startTimeOffset: 0, stopTimeOffset: 500 }])
  })
})
