import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { openIndividualArchive } from '../../../../lib/media/individual/individual-archive.ts'
import { inspectStream } from '../../../../lib/media/individual/inspect-stream.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { openZip } from '../../../../lib/media/zip/open-zip.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import { noteEncoder } from '../../../../local/sandbox/media/encoding/encoder-notes.ts'
import { fragmentsOf } from '../../../../local/sandbox/media/encoding/safe-mp4.ts'
import { withFile } from '../../../../local/sandbox/media/file-bytes.ts'
import type { ArchiveSpec, LeftArchive } from '../../../../local/sandbox/media/media.ts'
import { createRecovery } from '../../../../local/sandbox/media/recovery.ts'
import { frameAt } from '../../../../local/sandbox/media/timebase.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { inspectMp4 } from '../../../support/media/mp4.ts'
import { openMedia, START, stream } from './open-media.ts'

/** Long enough for a machine that has other things to do. */
/** The id of an element of WebM that holds frames. */
const CLUSTER = Buffer.from('1f43b675', 'hex')
const SIZE = { width: 640, height: 480 }
const composed = (more: Partial<ArchiveSpec> = {}): ArchiveSpec => ({
  ...{ id: 'one', sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } },
  ...{ hasAudio: true, hasVideo: true, ...more },
})
const left = (id: string, outputMode: LeftArchive['outputMode'] = 'composed'): LeftArchive => ({
  ...{ id, sessionId: 'session', createdAt: START, name: 'n', outputMode },
})

/** Copies the directory as a stopped machine would leave it, without any process. */
async function stopMachine(directory: string) {
  const copy = await mkdtemp(join(tmpdir(), 'showrunner-left-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith('.encoder') })
  return copy
}

/** Returns the number of an archive's fragments on the disk. */
const fragmentsIn = async (directory: string, id: string) =>
  (await readFile(fragmentsOf(join(directory, `${id}.mp4`))).catch(() => Buffer.alloc(0)))
    .toString('latin1')
    .split('moof').length - 1

/** Creates an ffmpeg that runs a shell command instead of copying; `$ffmpeg` is the real one. */
async function createFailing(ffmpegPath: string, does: string) {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-ffmpeg-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'ffmpeg')
  await writeFile(path, `#!/bin/sh\nffmpeg='${ffmpegPath}'\ncase "$*" in *.part) ${does};; esac\nexec "$ffmpeg" "$@"\n`)
  await chmod(path, 0o755)
  return path
}

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

/** Returns the directory of an individual archive that was killed after two seconds of a stream. */
async function recordStream() {
  const { media, clock, directory, ffmpegPath } = await openMedia()
  media.publish(stream('a'))
  await media.startIndividualArchive({ ...left('one'), hasAudio: true, hasVideo: true })
  await clock.advance(2_500)
  await media.caughtUp()
  const sizeOf = async () => (await stat(join(directory, 'one', 'a.webm'))).size
  await expect.poll(sizeOf).toBeGreaterThan(10_000)
  return { directory: await stopMachine(directory), ffmpegPath }
}

describe('createRecovery', () => {
  it('recovers an archive from its written fragments, from its start and without gaps', async () => {
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
    const pictures = await decodePictures(ffmpegPath, path, SIZE)
    const seen = pictures.map((picture) =>
      [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell)),
    )
    expect(seen).toEqual(Array.from({ length: (file?.seconds ?? 0) * 30 }, (_, index) => [first + index]))
    expect((await decodeAudio(ffmpegPath, path)).length / 48_000).toBeCloseTo(file?.seconds ?? 0, 1)
    const bytes = await readFile(path)
    expect(file).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('base64') })
    expect(await readdir(copy)).toEqual(['one.mp4'])
  })

  it('removes a fragment that was being written, cut at any place', async () => {
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
      const codes = (await decodePictures(ffmpegPath, path, SIZE)).map((picture) =>
        [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell)),
      )
      expect(codes, `cut at ${end}`).toEqual(Array.from({ length: 30 }, (_, index) => [first + index]))
      expect(file?.seconds).toBe(1)
      expect(await readdir(copy)).toEqual(['one.mp4'])
      expect((await decodeAudio(ffmpegPath, path)).length / 48_000).toBeCloseTo(1, 1)
    }
  })

  it('recovers archives of only audio and of only pictures', async () => {
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

  it('keeps the fragments as the archive when joining them hangs, and notes the process that joins them', async () => {
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

  it('packs the files of an individual archive, each with its start and its written length', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    const publish = (id: string) => media.publish(stream(id, { connectionData: `of ${id}`, videoType: 'screen' }))
    publish('a')
    await media.startIndividualArchive({ ...left('one'), hasAudio: true, hasVideo: true })
    await clock.advance(1_000)
    publish('b')
    await clock.advance(500)
    media.unpublish('session', 'a')
    await clock.advance(1_700)
    await media.caughtUp()
    const sizeOf = async (id: string) => (await stat(join(directory, 'one', `${id}.webm`))).size
    await expect.poll(() => sizeOf('b')).toBeGreaterThan(10_000)
    const whole = await media.startIndividualArchive({ ...left('two'), hasAudio: true, hasVideo: true })
    await clock.advance(1_000)
    await whole.finish()

    const copy = await stopMachine(directory)
    const { recover } = createRecovery({ ffmpegPath, directory: copy })
    const file = await recover(left('one', 'individual'))
    const zip = await withFile(join(copy, 'one.zip'), openIndividualArchive)
    expect(zip?.problems).toEqual([])
    const manifest = await withFile(join(copy, 'one.zip'), async (source) => {
      const entry = (await openZip(source)).find(({ name }) => name.endsWith('.json'))
      return JSON.parse(String(await entry?.load()))
    })
    expect(manifest).toMatchObject({ id: 'one', name: 'n', createdAt: START })
    const tracks = { audio: expect.any(Object), video: expect.any(Object) }
    const [a, b] = zip?.streams ?? []
    expect(a).toMatchObject({ streamId: 'a', start: 0, videoType: 'screen', ...tracks })
    expect(a?.stop).toBeCloseTo(1.5, 1)
    expect(b).toMatchObject({ streamId: 'b', start: 1, ...tracks })
    expect(b?.stop).toBeGreaterThan(1.9)
    expect(file?.seconds).toBe(zip?.duration)

    expect(await recover(left('two', 'individual'))).toMatchObject({ seconds: 1 })
    expect((await readdir(copy)).sort()).toEqual(['one.zip', 'two.zip'])
  })

  it('keeps a complete zip of an individual archive, and packs an incomplete one again', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    for (const id of ['a', 'b']) media.publish(stream(id))
    const recorder = await media.startIndividualArchive({ ...left('one'), hasAudio: true, hasVideo: true })
    await clock.advance(500)
    for (const id of ['a', 'b']) media.unpublish('session', id)
    await media.caughtUp()
    const isWhole = (name: string) =>
      withFile(join(directory, 'one', name), (source) =>
        inspectStream({ name, source }).then(({ duration }) => duration),
      )
    for (const id of ['a', 'b']) await expect.poll(() => isWhole(`${id}.webm`)).toBeCloseTo(0.5, 1)
    const begun = await stopMachine(directory)
    const { size, sha256 } = await recorder.finish()
    const zip = await readFile(join(directory, 'one.zip'))
    await writeFile(join(begun, 'one.zip.part'), zip.subarray(0, size / 2))
    const packed = await stopMachine(begun) // and its files are being taken away
    await writeFile(join(packed, 'one.zip'), zip)
    await rm(join(packed, 'one', 'b.webm'))

    for (const copy of [packed, begun]) {
      const { recover } = createRecovery({ ffmpegPath, directory: copy })
      expect(await recover(left('one', 'individual'))).toMatchObject({ size, seconds: expect.closeTo(0.5, 1) })
    }
    expect(await readFile(join(packed, 'one.zip'))).toEqual(zip)
    expect(createHash('sha256').update(zip).digest('base64')).toBe(sha256)
    expect(await readdir(begun)).toEqual(['one.zip'])
  })

  it.each([
    ['there is no ffmpeg', undefined],
    ['the disk is full', '"$ffmpeg" "$@"; for path; do :; done; truncate -s 1000 "$path"; exit 0'],
  ])('keeps the files of an individual archive that could not be finished: %s', async (_, does) => {
    const { directory, ffmpegPath } = await recordStream()
    const recoverWith = (path: string) =>
      createRecovery({ ffmpegPath: path, directory }).recover(left('one', 'individual'))
    const failing = does ? await createFailing(ffmpegPath, does) : join(directory, 'nothing')
    await expect(recoverWith(failing)).rejects.toBeInstanceOf(MediaError)
    expect(await readdir(join(directory, 'one'))).toEqual(['a.json', 'a.webm'])
    expect((await recoverWith(ffmpegPath))?.seconds).toBeGreaterThanOrEqual(1)
  })

  it('reports an archive that it cannot finish, and the folder of its files', async () => {
    const { directory } = await recordStream()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const media = await createMedia({
      ffmpegPath: join(directory, 'nothing'),
      clock: createSteppedClock(START),
      directory,
    })
    onTestFinished(() => media.close())
    await expect(media.recover?.(left('one', 'individual'))).rejects.toThrow('ffmpeg did not start')
    const kept = `The archive one could not be recovered, and its files are kept in ${directory}`
    expect(printed.mock.calls).toEqual([
      [`${kept}: ffmpeg did not start (spawn ${directory}/nothing ENOENT): set its path to a build for this machine.`],
    ])
    expect(await readdir(join(directory, 'one'))).toEqual(['a.json', 'a.webm'])
  })

  it('omits a stream without a complete cluster of frames, and packs the others', async () => {
    const { directory, ffmpegPath } = await recordStream()
    const written = await readFile(join(directory, 'one', 'a.webm'))
    const cluster = written.indexOf(CLUSTER)
    for (const end of [
      undefined,
      0,
      3,
      20,
      cluster >> 1,
      cluster - 1,
      cluster,
      cluster + 2,
      cluster + 6,
      cluster + 900,
    ]) {
      const copy = await stopMachine(directory)
      const [cut, note] = [join(copy, 'one', 'cut.webm'), join(copy, 'one', 'cut.json')]
      await writeFile(note, JSON.stringify({ participant: { streamId: 'cut' }, start: 0 }))
      if (end !== undefined) await writeFile(cut, written.subarray(0, end))
      await createRecovery({ ffmpegPath, directory: copy }).recover(left('one', 'individual'))
      const zip = await withFile(join(copy, 'one.zip'), openIndividualArchive)
      expect(zip?.streams, `cut at ${end}`).toMatchObject([{ streamId: 'a' }])
      expect(await readdir(copy)).toEqual(['one.zip'])
    }
    const path = join(directory, 'one', 'a.webm')
    await truncate(path, cluster)
    expect(await createRecovery({ ffmpegPath, directory }).recover(left('one', 'individual'))).toBeUndefined()
    expect(await readdir(directory)).toEqual([])
  })

  it.each([
    ['is damaged', async (path: string) => writeFile(path, (await readFile(path)).fill(0, 0, 40))],
    ['the machine does not let be read', (path: string) => rm(path).then(() => symlink(path, path))],
  ])('keeps the files of an archive when one %s', async (_, harm) => {
    const { directory, ffmpegPath } = await recordStream()
    await harm(join(directory, 'one', 'a.webm'))
    const { recover } = createRecovery({ ffmpegPath, directory })
    await expect(recover(left('one', 'individual'))).rejects.toThrow(/a\.webm/)
    expect(await readdir(join(directory, 'one'))).toEqual(['a.json', 'a.webm'])
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

  it('waits for an encoder that has outlived its process and finishes the file', async () => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    media.publish(stream('a'))
    const recorder = await media.startArchive(composed({ id: 'whole' }))
    await clock.advance(500)
    await recorder.finish()
    const [whole, path] = [join(directory, 'whole.mp4'), join(directory, 'one.mp4')]
    const encoder = spawn('/bin/sh', ['-c', `cat > /dev/null; cp '${whole}' '${path}'`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    noteEncoder(path, encoder)
    const recovered = createRecovery({ ffmpegPath, directory }).recover(left('one'))
    encoder.stdin.end()
    expect((await recovered)?.seconds).toBe(0.5)
    expect(await readdir(directory)).toEqual(['one.mp4', 'whole.mp4'])
  })

  it('returns undefined when nothing can be played, and leaves no files', async () => {
    const { media, directory, ffmpegPath } = await openMedia()
    await media.startArchive(composed())
    await media.startIndividualArchive({ ...left('of-nobody'), hasAudio: true, hasVideo: true })
    const copy = await stopMachine(directory)
    const { recover } = createRecovery({ ffmpegPath, directory: copy })
    expect(await recover(left('one'))).toBeUndefined()
    expect(await recover(left('of-nobody', 'individual'))).toBeUndefined()
    expect(await recover(left('never-started'))).toBeUndefined()
    expect(await recover(left('never-started', 'individual'))).toBeUndefined()
    expect(await readdir(copy)).toEqual([])
  })
})
