import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Picture, Rect } from '../../../../local/sandbox/media/composing/picture.ts'
import { paletteIdentityOf } from '../../../../local/sandbox/media/pattern/palette.ts'
import { SAMPLES_PER_SECOND } from '../../../../local/sandbox/media/timebase.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { deviation, expectedPictures, TOLERANCE } from '../../../support/media/geometry.ts'
import { readZip } from '../../../support/zip.ts'
import { openMedia, START, stream } from './open-media.ts'

/** Returns the strength of a participant's tone in the tenth of a second of its beep. */
function strength(audio: Int16Array, place: number, second: number): number {
  const start = second * SAMPLES_PER_SECOND
  let [real, imaginary] = [0, 0]
  for (const [sample, value] of audio.subarray(start, start + SAMPLES_PER_SECOND / 10).entries()) {
    const angle = (2 * Math.PI * paletteIdentityOf(place).tone * sample) / SAMPLES_PER_SECOND
    real += value * Math.cos(angle)
    imaginary += value * Math.sin(angle)
  }
  return Math.hypot(real, imaginary)
}

describe('an archive with more participants than its limits', () => {
  it('shows 16 and mixes 50; when one leaves, the next one is visible and the next one audible', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    for (let place = 0; place < 51; place++) media.publish(stream(`s${place}`))
    const spec = { id: 'archive', sessionId: 'session', resolution: '640x480', hasAudio: true, hasVideo: true }
    const recorder = await media.startArchive({ ...spec, layout: { type: 'bestFit' } })
    await clock.advance(1_000)
    media.unpublish('session', 's0')
    await clock.advance(1_000)
    await recorder.finish()

    const path = join(directory, 'archive.mp4')
    const pictures = await decodePictures(ffmpegPath, path, { width: 640, height: 480 })
    const [before, after] = [pictures[29], pictures[30]] as [Picture, Picture]
    const cells = expectedPictures('bestFit', '640x480', 16, 0)
    expect(deviation(findCells(before), cells)).toBeLessThanOrEqual(TOLERANCE)
    // The 17th has a colour between those of two others: it is recognized by its place at the end.
    const [first, last] = [cells.get(0) as Rect, cells.get(15) as Rect]
    expect(deviation(new Map([[1, findCells(after).get(1) as Rect]]), new Map([[1, first]]))).toBeLessThanOrEqual(
      TOLERANCE,
    )
    expect(readCellTimecode(after, last)).toBe((readCellTimecode(before, last) ?? Number.NaN) + 1)

    const audio = await decodeAudio(ffmpegPath, path)
    const [unheard, heard] = [strength(audio, 50, 0.5), strength(audio, 50, 1.5)]
    expect(unheard).toBeLessThan(heard / 3)
    expect(strength(audio, 49, 0.5)).toBeGreaterThan(heard / 2)
  })
  it('has the audio of 50 in separate files; when one leaves, the next one who joins has a file', async () => {
    const { media, clock, directory } = await openMedia()
    const tracks = { hasAudio: true, hasVideo: false }
    for (let place = 0; place < 51; place++) media.publish(stream(`s${place}`, tracks))
    const spec = { id: 'archive', sessionId: 'session', createdAt: START, ...tracks }
    const recorder = await media.startIndividualArchive(spec)
    await clock.advance(200)
    media.unpublish('session', 's0')
    await clock.advance(200)
    await recorder.finish()
    const zip = readZip(await readFile(join(directory, 'archive.zip')))
    const { files } = JSON.parse(String(zip.get('archive.json'))) as { files: Record<string, unknown>[] }
    const first = Array.from({ length: 50 }, (_, place) => ({ streamId: `s${place}`, startTimeOffset: 0 }))
    expect(files).toMatchObject([...first, { streamId: 's50', startTimeOffset: 200, stopTimeOffset: 400 }])
  })
})
