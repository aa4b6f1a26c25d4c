import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fragmentsOf } from '../../../../local/sandbox/media/encoding/safe-mp4.ts'
import type { ArchiveSpec } from '../../../../local/sandbox/media/media.ts'
import { createRecovery } from '../../../../local/sandbox/media/recovery.ts'
import { frameAt } from '../../../../local/sandbox/media/timebase.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodePictures, decodeSound } from '../../../support/media/decode.ts'
import { inspectMp4 } from '../../../support/media/mp4.ts'
import { openMedia, START, stream } from './open-media.ts'

const SIZE = { width: 640, height: 480 }
const composed = (more: Partial<ArchiveSpec> = {}): ArchiveSpec => ({
  ...{ id: 'one', sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } },
  ...{ hasAudio: true, hasVideo: true, ...more },
})
const left = (id: string) =>
  ({ id, sessionId: 'session', createdAt: START, name: 'n', outputMode: 'composed' }) as const

/** The directory as it is at this moment, as a machine that stops would leave it: everything in it has ended too. */
async function stopMachine(directory: string) {
  const copy = await mkdtemp(join(tmpdir(), 'showrunner-left-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith('.encoder') })
  return copy
}

/** So many fragments of an archive lie on the disk. */
const fragmentsIn = async (directory: string, id: string) =>
  (await readFile(fragmentsOf(join(directory, `${id}.mp4`))).catch(() => Buffer.alloc(0)))
    .toString('latin1')
    .split('moof').length - 1

describe('createRecovery', () => {
  it('makes an archive of what was written before everything stopped, from its beginning and without a hole', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    media.publish(stream('a'))
    await media.startArchive(composed())
    await clock.advance(3_200)
    await media.caughtUp()
    await expect.poll(() => fragmentsIn(directory, 'one')).toBeGreaterThanOrEqual(6)

    const copy = await stopMachine(directory)
    const file = await createRecovery({ ffmpegPath, directory: copy }).recover(left('one'))
    expect(file?.seconds).toBeGreaterThanOrEqual(3)
    const path = join(copy, 'one.mp4')
    const { boxes, video, audio } = await inspectMp4(path)
    expect(boxes).toEqual(['ftyp', 'free', 'mdat', 'moov'])
    expect(video).toMatchObject({ start: 0, end: file?.seconds })
    expect(Math.abs((audio?.end ?? 0) - (file?.seconds ?? 0))).toBeLessThan(0.1)

    const first = frameAt(START) % 2 ** 24
    const pictures = await decodePictures(ffmpegPath, path, SIZE)
    const seen = pictures.map((picture) =>
      [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell)),
    )
    expect(seen).toEqual(Array.from({ length: (file?.seconds ?? 0) * 30 }, (_, index) => [first + index]))
    expect((await decodeSound(ffmpegPath, path)).length / 48_000).toBeCloseTo(file?.seconds ?? 0, 1)
    const bytes = await readFile(path)
    expect(file).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('base64') })
    expect(await readdir(copy)).toEqual(['one.mp4'])
  })

  it.each([{ hasAudio: false }, { hasVideo: false }])('does so for an archive with %o', async (tracks) => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    media.publish(stream('a'))
    await media.startArchive(composed(tracks))
    await clock.advance(1_500)
    await media.caughtUp()
    await expect.poll(() => fragmentsIn(directory, 'one')).toBeGreaterThanOrEqual(2)
    const copy = await stopMachine(directory)
    const file = await createRecovery({ ffmpegPath, directory: copy }).recover(left('one'))
    expect(file?.seconds).toBeGreaterThanOrEqual(1)
  })

  it('knows when nothing can be played, and leaves nothing', async () => {
    const { media, directory, ffmpegPath } = await openMedia()
    await media.startArchive(composed())
    const copy = await stopMachine(directory)
    const { recover } = createRecovery({ ffmpegPath, directory: copy })
    expect(await recover(left('one'))).toBeUndefined()
    expect(await recover(left('never-started'))).toBeUndefined()
    expect(await readdir(copy)).toEqual([])
  })
})
