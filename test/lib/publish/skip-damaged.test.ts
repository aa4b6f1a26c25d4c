import { describe, expect, it } from 'vitest'
import { FfmpegConfigError, FfmpegError, MediaError } from '../../../lib/media/media-error.ts'
import { asMediaError, skipIfDamaged } from '../../../lib/publish/skip-damaged.ts'
import { StorageError } from '../../../lib/tasks/errors.ts'

const thumbnails = { format: 'thumbnails', what: 'thumbnails', of: 'picture' } as const
const failing = (error: Error, making: Parameters<typeof skipIfDamaged>[0] = thumbnails) =>
  skipIfDamaged<{ files: string[] }>(making, { files: [] }, async () => {
    throw error
  })
const problemOf = async (...of: Parameters<typeof failing>) => (await failing(...of)).missing?.problem

describe('unlessDamaged', () => {
  it('gives what was made', async () => {
    const made = { files: ['sprite'] }
    expect(await skipIfDamaged(thumbnails, { files: [] as string[] }, async () => made)).toEqual(made)
  })

  it('gives nothing of what is damaged, and says why', async () => {
    expect(await failing(new MediaError('The file is cut off.'))).toEqual({
      files: [],
      missing: { format: 'thumbnails', problem: 'No thumbnails: the file is cut off.' },
    })
    expect(await problemOf(new MediaError('HLS by copy takes AAC audio.'))).toBe(
      'No thumbnails: HLS by copy takes AAC audio.',
    )
  })

  it('puts what ffmpeg says into a sentence', async () => {
    const error = new FfmpegError('ffmpeg exited with code 1: [h264] no frame', { words: '[h264] no frame' })
    expect(await problemOf(error)).toBe('No thumbnails: the picture cannot be decoded ([h264] no frame).')
    const pieces = { format: 'renditions', what: 'smaller sizes', of: 'picture', stretch: { start: 750, end: 4199.2 } }
    expect(await problemOf(error, pieces as typeof thumbnails)).toBe(
      'No smaller sizes: the picture cannot be decoded between 12:30 and 1:10:00 ([h264] no frame).',
    )
    const silent = new FfmpegError('ffmpeg exited with code 1.', { words: '' })
    expect(await problemOf(silent)).toBe('No thumbnails: the picture cannot be decoded.')
  })

  it('says it in few words', async () => {
    const words = 'no frame; '.repeat(200)
    expect((await problemOf(new FfmpegError('It failed.', { words })))?.length).toBeLessThan(500)
    expect((await problemOf(new MediaError(words)))?.length).toBeLessThan(500)
  })

  it.each([
    new StorageError('The bucket does not answer.'),
    new FfmpegError('ffmpeg did not start (ENOENT).'),
    new FfmpegError('ffmpeg was killed by SIGKILL.'),
    new FfmpegConfigError('ffmpeg 9.0 lacks a needed feature.'),
  ])('throws what says nothing about the recording: $message', async (error) => {
    await expect(failing(error)).rejects.toBe(error)
  })
})

describe('orUndecodable', () => {
  const throwing = (error: Error) =>
    asMediaError({ of: 'audio' }, async () => {
      throw error
    })

  it('gives what was made, and throws what ffmpeg cannot decode as a sentence', async () => {
    expect(await asMediaError({ of: 'audio' }, async () => 'made')).toBe('made')
    const error = new FfmpegError('ffmpeg exited with code 1: [opus] no frame', { words: '[opus] no frame' })
    await expect(throwing(error)).rejects.toMatchObject({
      ...{ name: 'MediaError', message: 'The audio cannot be decoded ([opus] no frame).', cause: error },
    })
  })

  it.each([
    new StorageError('The bucket does not answer.'),
    new FfmpegError('ffmpeg was killed by SIGKILL.'),
    new MediaError('The zip is damaged.'),
  ])('throws everything else as it is: $message', async (error) => {
    await expect(throwing(error)).rejects.toBe(error)
  })
})
