import { expect } from 'vitest'
import { beepOnsets } from './beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from './cells.ts'
import { decodeAudio, decodePictures } from './decode.ts'

/** What the first participant of a session shows and lets hear in a file or an HLS playlist. */
export interface Observation {
  /** The numbers of the engine's frames, of one picture after the other. */
  readonly codes: readonly (number | undefined)[]
  /** When each second begins for the eye, and for the ear, in seconds of the file; what its ends cut off does not count. */
  readonly flashes: readonly number[]
  readonly beeps: readonly number[]
}

const FLASH_FRAMES = 3

/** Watches a recording or broadcast of 640x480 that shows one participant. */
export async function observe(ffmpegPath: string, path: string): Promise<Observation> {
  const pictures = await decodePictures(ffmpegPath, path, { width: 640, height: 480 })
  const audio = await decodeAudio(ffmpegPath, path)
  return {
    codes: pictures.map((picture) => readCellTimecode(picture, findCells(picture).get(0) as never)),
    flashes: flashOnsets(pictures, 0)
      .filter((frame) => frame > 0 && frame < pictures.length - FLASH_FRAMES)
      .map((frame) => frame / 30),
    beeps: beepOnsets(audio, 0),
  }
}

/** What eye and ear may disagree by, in seconds. */
const IN_SYNC = 0.04

/** Expects that no frame is missing or repeated, and each flash to be heard. */
export function expectWhole({ codes, flashes, beeps }: Observation): void {
  const [first = 0] = codes
  expect(codes).toEqual(codes.map((_, index) => first + index))
  expect(flashes.length).toBeGreaterThan(2)
  for (const flash of flashes)
    expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash))), `of the flash at ${flash} s`).toBeLessThan(IN_SYNC)
}
