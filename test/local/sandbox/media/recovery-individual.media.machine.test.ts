import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { openIndividualArchive } from '../../../../lib/media/individual/individual-archive.ts'
import { inspectStream } from '../../../../lib/media/individual/inspect-stream.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { openZip } from '../../../../lib/media/zip/open-zip.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import { withFile } from '../../../../local/sandbox/media/file-bytes.ts'
import { createRecovery } from '../../../../local/sandbox/media/recovery.ts'
import { createFailing, left, stopMachine } from './left-archives.ts'
import { openMedia, START, stream } from './open-media.ts'

/** Id of an element of WebM that contains frames. */
const CLUSTER = Buffer.from('1f43b675', 'hex')

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

describe('createRecovery of an individual archive', () => {
  it('packs the files of an archive, each with its start and its written length', async () => {
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

  it('keeps a complete zip of an archive, and packs an incomplete one again', async () => {
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
    ['there is no ffmpeg', undefined],
    ['the disk is full', '"$ffmpeg" "$@"; for path; do :; done; truncate -s 1000 "$path"; exit 0'],
  ])('keeps the files of an archive that cannot be finished because %s', async (_, does) => {
    const { directory, ffmpegPath } = await recordStream()
    const recoverWith = (path: string) =>
      createRecovery({ ffmpegPath: path, directory }).recover(left('one', 'individual'))
    const failing = does ? await createFailing(ffmpegPath, does) : join(directory, 'nothing')
    await expect(recoverWith(failing)).rejects.toBeInstanceOf(MediaError)
    expect(await readdir(join(directory, 'one'))).toEqual(['a.json', 'a.webm'])
    expect((await recoverWith(ffmpegPath))?.seconds).toBeGreaterThanOrEqual(1)
  })

  it.each([
    ['is damaged', async (path: string) => writeFile(path, (await readFile(path)).fill(0, 0, 40))],
    ['cannot be read', (path: string) => rm(path).then(() => symlink(path, path))],
  ])('keeps the files of an archive of which one %s', async (_, harm) => {
    const { directory, ffmpegPath } = await recordStream()
    await harm(join(directory, 'one', 'a.webm'))
    const { recover } = createRecovery({ ffmpegPath, directory })
    await expect(recover(left('one', 'individual'))).rejects.toThrow(/a\.webm/)
    expect(await readdir(join(directory, 'one'))).toEqual(['a.json', 'a.webm'])
  })

  it('prints the archive that it cannot finish, and the folder of its files', async () => {
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

  it('returns undefined when nothing can be played, and leaves no files', async () => {
    const { media, directory, ffmpegPath } = await openMedia()
    await media.startIndividualArchive({ ...left('without-streams'), hasAudio: true, hasVideo: true })
    const copy = await stopMachine(directory)
    const { recover } = createRecovery({ ffmpegPath, directory: copy })
    expect(await recover(left('without-streams', 'individual'))).toBeUndefined()
    expect(await recover(left('never-started', 'individual'))).toBeUndefined()
    expect(await readdir(copy)).toEqual([])
  })
})
