import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { eventually, openDoors } from './open-doors.ts'

/** Starts a sandbox as {@link openDoors} does, with the means to record its session. */
export async function openRecording(options: { chromiumPath?: string } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-live-'))
  const ffmpegPath = await findFfmpeg()
  onTestFinished(() => rm(directory, { recursive: true }))
  const world = await openDoors(await createMedia({ ffmpegPath, clock: realClock, directory }), options)
  const moderator = await world.watch()
  const { call, sessionId } = world

  /** Records an archive of some seconds, and downloads it. */
  async function recordFile(seconds: number, during: () => Promise<unknown> = async () => {}, resolution = '640x480') {
    const { id: archiveId } = (await call('startArchive', { sessionId, resolution })).body
    await Promise.all([realClock.sleep(seconds * 1000), during()])
    await call('stopArchive', { archiveId })
    const { body } = await eventually(
      () => call('getArchive', { archiveId }),
      ({ body }) => body.status === 'available',
    )
    const path = join(directory, 'downloaded.mp4')
    await writeFile(path, Buffer.from(await (await fetch(body.url)).arrayBuffer()))
    return { path, createdAt: body.createdAt as number }
  }
  /** Records an archive of some seconds, and decodes it. */
  async function record(...given: Parameters<typeof recordFile>) {
    const { path, createdAt } = await recordFile(...given)
    const pictures = await decodePictures(ffmpegPath, path, { width: 640, height: 480 })
    return { pictures, audio: await decodeAudio(ffmpegPath, path), createdAt }
  }
  return { ...world, moderator, record, recordFile, directory, ffmpegPath }
}
