import { makeThumbnails } from '../../media/pictures/thumbnails.ts'
import type { Services } from '../../services.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { openFfmpegTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes the sprite sheets of a recording and the cues that name their pictures. */
export async function publishThumbnails(
  input: TaskInput<'makeThumbnails'>,
  services: Services,
): Promise<TaskOutput<'makeThumbnails'>> {
  const recipe = { folder: 'thumbnails', version: 1 }
  const { source, publish, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, recipe)
  return skipIfDamaged({ format: 'thumbnails', what: 'thumbnails', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const files: TaskOutput<'makeThumbnails'>['files'] = []
    for await (const { bytes, ...file } of makeThumbnails({ ffmpegPath, source }))
      files.push(await publish({ ...file, content: bytes }))
    return { files, ffmpeg }
  })
}
