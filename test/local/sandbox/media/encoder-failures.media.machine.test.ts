import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { writeKnownFfmpeg } from '../../../support/media/impostor.ts'
import { composed, createFailing } from './left-archives.ts'
import { openMedia, stream } from './open-media.ts'

const ffmpegPath = await findFfmpeg()

describe('an encoder that fails', () => {
  it('is reported when it dies, and the others continue', async () => {
    const { path, pidOf } = await writeKnownFfmpeg(ffmpegPath)
    const { media, clock, directory } = await openMedia({ ffmpegPath: path })
    media.publish(stream('a'))
    const doomed = await media.startArchive(composed({ id: 'doomed' }))
    const cut = await media.startBroadcast({
      ...({ id: 'cut', sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } } as const),
      hls: { dvr: false, lowLatency: false },
    })
    const other = await media.startArchive(composed({ id: 'other' }))
    const errors: Error[] = []
    const failures = [doomed, cut].map(
      (output) =>
        new Promise<void>((resolve) => {
          output.onFailure((error) => {
            errors.push(error)
            resolve()
          })
        }),
    )
    await clock.advance(5_000)
    await media.caughtUp()
    await expect.poll(() => cut.playlist()).toContain('segment-00001.m4s')
    for (const argument of ['doomed.mp4', 'pipe:4']) process.kill(await pidOf(argument), 'SIGKILL')
    await Promise.all(failures)
    await clock.advance(1_000)
    expect((await other.finish()).seconds).toBe(6)
    const death = expect.objectContaining({
      name: 'MediaError',
      message: expect.stringMatching(/^ffmpeg was killed by SIGKILL/),
    })
    expect(errors).toEqual([death, death])
    await expect(doomed.finish()).rejects.toEqual(death)
    await doomed.discard()
    expect(await readdir(directory)).toEqual(['cut', 'other.mp4'])
    expect(await cut.playlist()).toMatch(/#EXT-X-ENDLIST\n$/)
    await expect(cut.stop()).rejects.toEqual(death)
  })

  it('leaves nothing of its archive when it dies while that finishes', async () => {
    const { path, pidOf } = await writeKnownFfmpeg(ffmpegPath)
    const { media, clock, directory } = await openMedia({ ffmpegPath: path })
    const recorder = await media.startArchive(composed({ id: 'doomed' }))
    await clock.advance(3_000)
    await media.caughtUp()
    await expect.poll(() => readdir(directory)).toEqual(['doomed.mp4.encoder', 'doomed.mp4.fragments'])
    const pid = await pidOf('doomed.mp4')
    process.kill(pid, 'SIGSTOP')
    const finished = recorder.finish()
    await media.caughtUp() // the engine has begun to wait for it
    process.kill(pid, 'SIGKILL')
    await expect(finished).rejects.toThrow(/^ffmpeg was killed by SIGKILL/)
    expect(await readdir(directory)).toEqual([])
  })

  it.each([
    ['and ffmpeg fails', 'exit 1'],
    ['and ffmpeg says so but ends well', '"$ffmpeg" "$@"; for path; do :; done; truncate -s 1000 "$path"; exit 0'],
  ])('keeps an archive in its fragments when there is no room to join them, %s', async (_, does) => {
    const { media, clock, directory } = await openMedia({ ffmpegPath: await createFailing(ffmpegPath, does) })
    media.publish(stream('a'))
    const recorder = await media.startArchive(composed({ id: 'tight' }))
    await clock.advance(2_000)
    const { seconds, size } = await recorder.finish()
    expect(seconds).toBe(2)
    expect(await readdir(directory)).toEqual(['tight.mp4'])
    const path = join(directory, 'tight.mp4')
    expect((await readFile(path)).length).toBe(size)
    expect(await decodePictures(ffmpegPath, path, { width: 640, height: 480 })).toHaveLength(60)
  })
})
