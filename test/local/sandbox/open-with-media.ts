import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../lib/clock.ts'
import { findFfmpeg } from '../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../local/sandbox/media/create-media.ts'
import { frameAt } from '../../../local/sandbox/media/timebase.ts'
import { findCells, readCellTimecode } from '../../support/media/cells.ts'
import { type DecodeOptions, decodeAudio, decodePictures } from '../../support/media/decode.ts'
import { openSandbox } from './open-sandbox.ts'

/** Half past a second, so that flashes and beeps are inside the archives. */
const START = Date.UTC(2026, 10, 20, 9, 0, 0, 500)
export const SIZE = { width: 640, height: 480 }

/** Opens a sandbox under a stepped clock that records with ffmpeg, with functions that measure its files. */
export async function openWithMedia() {
  const ffmpegPath = await findFfmpeg()
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-media-'))
  const clock = createSteppedClock(START, () => world.sandbox.settled())
  const media = await createMedia({ ffmpegPath, clock, directory: join(directory, 'media') })
  const world = openSandbox({ clock, media: () => media })
  onTestFinished(async () => {
    await world.sandbox.close()
    await rm(directory, { recursive: true })
  })

  /** Fetches an archive's file by its URL, and decodes it. */
  async function download(archiveId: string) {
    const { body: archive } = await world.call('getArchive', { archiveId })
    const path = join(directory, `${archiveId}.mp4`)
    const answer = await world.sandbox.fetch(new Request(archive.url))
    await writeFile(path, Buffer.from(await answer.arrayBuffer()))
    const pictures = (size: DecodeOptions = SIZE) => decodePictures(ffmpegPath, path, size)
    return {
      archive,
      path,
      pictures,
      audio: () => decodeAudio(ffmpegPath, path),
      /** The frame since the start of the clock that each picture shows; undefined where it shows none. */
      async frames() {
        return (await pictures()).map((picture) => {
          const [cell] = findCells(picture).values()
          const code = cell && readCellTimecode(picture, cell)
          return code === undefined ? undefined : code - (frameAt(START) % 2 ** 24)
        })
      },
    }
  }

  return { ...world, clock, directory, ffmpegPath, download }
}
