import { makePoster } from '../../media/pictures/poster.ts'
import type { Services } from '../../services.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { openFfmpegTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes the poster of a recording; no file where no frame is fit for one. */
export async function publishPoster(
  input: TaskInput<'makePoster'>,
  services: Services,
): Promise<TaskOutput<'makePoster'>> {
  const { source, publish, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, {
    folder: 'poster',
    version: 1,
  })
  const nothing = { files: [], ffmpeg }
  return skipIfDamaged<TaskOutput<'makePoster'>>(
    { format: 'poster', what: 'poster', of: 'picture' },
    nothing,
    async () => {
      const poster = await makePoster({ ffmpegPath, source })
      if (!poster) return nothing
      const file = { role: 'poster', name: 'poster.jpg', content: poster.jpeg, contentType: 'image/jpeg' } as const
      return { files: [await publish(file)], ffmpeg }
    },
  )
}
