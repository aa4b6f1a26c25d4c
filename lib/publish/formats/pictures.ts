import { findBlack } from '../../media/chapters/find-black.ts'
import { chaptersAt, findChapters, writeChapters } from '../../media/chapters/find-chapters.ts'
import { makePoster } from '../../media/pictures/poster.ts'
import { makeThumbnails } from '../../media/pictures/thumbnails.ts'
import type { TaskRun } from '../../services.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import { mediaOf } from '../media-functions.ts'
import { openFfmpegTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes the poster of a recording; no file where no frame is fit for one. */
export const publishPoster: TaskRun<'makePoster'> = async (services, input) => {
  const { source, publish, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, {
    folder: 'poster',
    version: 1,
  })
  const nothing = { files: [], ffmpeg }
  return skipIfDamaged<TaskOutput<'makePoster'>>(
    { format: 'poster', what: 'poster', of: 'picture' },
    nothing,
    async () => {
      const poster = await mediaOf(services, { makePoster }).makePoster({ ffmpegPath, source })
      if (!poster) return nothing
      const file = { role: 'poster', name: 'poster.jpg', content: poster.jpeg, contentType: 'image/jpeg' } as const
      return { files: [await publish(file)], ffmpeg }
    },
  )
}

/** Publishes the sprite sheets of a recording and the cues that name their pictures. */
export const publishThumbnails: TaskRun<'makeThumbnails'> = async (services, input) => {
  const recipe = { folder: 'thumbnails', version: 1 }
  const { source, publish, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, recipe)
  return skipIfDamaged({ format: 'thumbnails', what: 'thumbnails', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const files: TaskOutput<'makeThumbnails'>['files'] = []
    for await (const { bytes, ...file } of mediaOf(services, { makeThumbnails }).makeThumbnails({ ffmpegPath, source }))
      files.push(await publish({ ...file, content: bytes }))
    return { files, ffmpeg }
  })
}

/** Publishes the chapters of a recording, which begin at its markers, or else at gaps; no file where it has none. */
export const publishChapters: TaskRun<'findChapters'> = async (services, input) => {
  const { duration, silences, markers } = input
  const parameters = markers.length > 0 ? { duration, markers } : { duration, silences }
  const recipe = { folder: 'chapters', version: 1, parameters }
  const { source, publish, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, recipe)
  return skipIfDamaged({ format: 'chapters', what: 'chapters', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const media = mediaOf(services, { findBlack })
    const chapters =
      markers.length > 0
        ? chaptersAt(markers, duration)
        : findChapters({ duration, silences, blacks: await media.findBlack({ ffmpegPath, source }) })
    if (chapters.length === 0) return { files: [], ffmpeg }
    const content = writeChapters(chapters)
    const file = await publish({ role: 'chapters', name: 'chapters.vtt', content, contentType: 'text/vtt' })
    return { files: [file], ffmpeg }
  })
}
