import { findBlack } from '../../media/chapters/find-black.ts'
import { findChapters, writeChapters } from '../../media/chapters/find-chapters.ts'
import type { Services } from '../../services.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { openFfmpegTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes the chapters of a recording, which begin where it is both silent and black; no file where it has none. */
export async function publishChapters(
  input: TaskInput<'findChapters'>,
  services: Services,
): Promise<TaskOutput<'findChapters'>> {
  const { duration, silences } = input
  const recipe = { folder: 'chapters', version: 1, parameters: { duration, silences } }
  const { source, publish, ffmpegPath, ffmpeg } = await openFfmpegTask(input, services, recipe)
  return skipIfDamaged({ format: 'chapters', what: 'chapters', of: 'picture' }, { files: [], ffmpeg }, async () => {
    const blacks = await findBlack({ ffmpegPath, source })
    const chapters = findChapters({ duration, silences, blacks })
    if (chapters.length === 0) return { files: [], ffmpeg }
    const content = writeChapters(chapters)
    const file = await publish({ role: 'chapters', name: 'chapters.vtt', content, contentType: 'text/vtt' })
    return { files: [file], ffmpeg }
  })
}
