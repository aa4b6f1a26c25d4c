import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { noteEncoder } from '../../../../local/sandbox/media/encoding/encoder-notes.ts'
import { fragmentsOf } from '../../../../local/sandbox/media/encoding/safe-mp4.ts'
import { createRecovery } from '../../../../local/sandbox/media/recovery.ts'
import { frameAt } from '../../../../local/sandbox/media/timebase.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { inspectMp4 } from '../../../support/media/mp4.ts'
import { composed, createFailing, left, stopMachine } from './left-archives.ts'
import { openMedia, START, stream } from './open-media.ts'

const SIZE = { width: 640, height: 480 }

/** Returns the timecode of every picture of an archive with one participant. */
const timecodesOf = async (ffmpegPath: string, path: string) =>
  (await decodePictures(ffmpegPath, path, SIZE)).map((picture) =>
    [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell)),
  )

/** Returns the number of an archive's fragments on the disk. */
const fragmentsIn = async (directory: string, id: string) =>
  (await readFile(fragmentsOf(join(directory, `${id}.mp4`))).catch(() => Buffer.alloc(0)))
    .toString('latin1')
    .split('moof').length - 1

/** Starts an archive with two seconds on the disk. */
async function recordFragments() {
  const { media, clock, directory, ffmpegPath } = await openMedia()
  media.publish(stream('a'))
  await media.startArchive(composed())
  await clock.advance(2_200)
  await media.caughtUp()
  await expect.poll(() => fragmentsIn(directory, 'one')).toBeGreaterThanOrEqual(4)
  return { directory, ffmpegPath }
}

describe('createRecovery of a composed archive', () => {
  it('recovers an archive from its written fragments, from the start and without gaps', async () => {
    const { directory, ffmpegPath } = await recordFragments()

    const copy = await stopMachine(directory)
    const file = await createRecovery({ ffmpegPath, directory: copy }).recover(left('one'))
    expect(file?.seconds).toBeGreaterThanOrEqual(2)
    const path = join(copy, 'one.mp4')
    const { boxes, video, audio } = await inspectMp4(path)
    expect(boxes).toEqual(['ftyp', 'moov', 'free', 'mdat'])
    expect(video).toMatchObject({ start: 0, end: file?.seconds })
    expect(Math.abs((audio?.end ?? 0) - (file?.seconds ?? 0))).toBeLessThan(0.1)

    const first = frameAt(START) % 2 ** 24
    expect(await timecodesOf(ffmpegPath, path)).toEqual(
      Array.from({ length: (file?.seconds ?? 0) * 30 }, (_, index) => [first + index]),
    )
    expect((await decodeAudio(ffmpegPath, path)).length / 48_000).toBeCloseTo(file?.seconds ?? 0, 1)
    const bytes = await readFile(path)
    expect(file).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('base64') })
    expect(await readdir(copy)).toEqual(['one.mp4'])
  })

  it('removes a fragment that was being written, wherever it is cut', async () => {
    const { directory, ffmpegPath } = await recordFragments()
    const first = frameAt(START) % 2 ** 24
    const written = await readFile(fragmentsOf(join(directory, 'one.mp4')))
    const boxAfter = (type: string, at: number) => written.indexOf(type, at + 8) - 4
    const third = boxAfter('moof', boxAfter('moof', boxAfter('moof', 0)))
    const itsMedia = boxAfter('mdat', third)
    for (const end of [third + 5, third + 40, itsMedia + 4, itsMedia + 3_000]) {
      const copy = await stopMachine(directory)
      await truncate(fragmentsOf(join(copy, 'one.mp4')), end)
      await writeFile(join(copy, 'one.mp4.part'), 'of a recovery that had its end too')
      const file = await createRecovery({ ffmpegPath, directory: copy }).recover(left('one'))
      const path = join(copy, 'one.mp4')
      expect(await timecodesOf(ffmpegPath, path), `cut at ${end}`).toEqual(
        Array.from({ length: 30 }, (_, index) => [first + index]),
      )
      expect(file?.seconds).toBe(1)
      expect(await readdir(copy)).toEqual(['one.mp4'])
      expect((await decodeAudio(ffmpegPath, path)).length / 48_000).toBeCloseTo(1, 1)
    }
  })

  it('recovers archives with only audio and with only video', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    media.publish(stream('a'))
    await media.startArchive(composed({ id: 'audio', hasVideo: false }))
    await media.startArchive(composed({ id: 'pictures', hasAudio: false }))
    await clock.advance(1_500)
    await media.caughtUp()
    for (const id of ['audio', 'pictures'])
      await expect.poll(() => fragmentsIn(directory, id)).toBeGreaterThanOrEqual(2)
    const { recover } = createRecovery({ ffmpegPath, directory: await stopMachine(directory) })
    for (const id of ['audio', 'pictures']) expect((await recover(left(id)))?.seconds).toBeGreaterThanOrEqual(1)
  })

  it('keeps the fragments as the archive when the ffmpeg that joins them hangs, and notes its process', async () => {
    const { directory, ffmpegPath } = await recordFragments()
    const copy = await stopMachine(directory)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const hanging = await createFailing(ffmpegPath, 'exec sleep 60')
    const recovered = createRecovery({ ffmpegPath: hanging, directory: copy }).recover(left('one'))
    await expect.poll(() => readdir(copy)).toContain('one.mp4.part.encoder')
    vi.advanceTimersByTime(60_000)
    expect((await recovered)?.seconds).toBeGreaterThanOrEqual(2)
    expect(await readdir(copy)).toEqual(['one.mp4'])
  })

  it('keeps the fragments of an archive that cannot be read', async () => {
    const { directory, ffmpegPath } = await recordFragments()
    const copy = await stopMachine(directory)
    const path = fragmentsOf(join(copy, 'one.mp4'))
    await rm(path)
    await symlink(path, path)
    await expect(createRecovery({ ffmpegPath, directory: copy }).recover(left('one'))).rejects.toThrow('ELOOP')
    expect(await readdir(copy)).toEqual(['one.mp4.fragments'])
  })

  it('waits for an encoder that still writes the file after its process has ended', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    media.publish(stream('a'))
    const recorder = await media.startArchive(composed({ id: 'whole' }))
    await clock.advance(500)
    await recorder.finish()
    const [whole, path] = [join(directory, 'whole.mp4'), join(directory, 'one.mp4')]
    const encoder = spawn('/bin/sh', ['-c', `echo started; cat > /dev/null; cp '${whole}' '${path}'`], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    await once(encoder.stdout, 'data') // a process that is just being started has no command line yet
    noteEncoder(path, encoder)
    const recovered = createRecovery({ ffmpegPath, directory }).recover(left('one'))
    encoder.stdin.end()
    expect((await recovered)?.seconds).toBe(0.5)
    expect(await readdir(directory)).toEqual(['one.mp4', 'whole.mp4'])
  })

  it('returns undefined when nothing can be played, and leaves no files', async () => {
    const { media, directory, ffmpegPath } = await openMedia()
    await media.startArchive(composed())
    const copy = await stopMachine(directory)
    const { recover } = createRecovery({ ffmpegPath, directory: copy })
    expect(await recover(left('one'))).toBeUndefined()
    expect(await recover(left('never-started'))).toBeUndefined()
    expect(await readdir(copy)).toEqual([])
  })
})
