import { mixAudio as mix } from '../lib/media/composite/mix-audio.ts'
import type { Services } from '../lib/services/services.ts'
import { tagsFor } from '../lib/workflow/retention.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { compositeEdition, compositeKeys, openComposite } from './composite/open-composite.ts'
import { orUndecodable } from './making/unless-damaged.ts'
import { taskHandler } from './middleware/task.ts'

export async function mixAudio(
  { key, etag, archiveId, keepDays }: TaskInput<'mixAudio'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'mixAudio'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite({ key, etag }, { storage })
  const edition = await compositeEdition(etag, ffmpegPath)
  const hasAudio = plan.voices.length > 0
  if (hasAudio) {
    await orUndecodable({ of: 'sound' }, () => {
      const bytes = mix(archive, plan, { ffmpegPath })
      return storage.putStream(compositeKeys(archiveId, edition).sound, bytes, 'audio/mp4', tagsFor(keepDays))
    })
  }
  return { hasAudio, edition }
}

export const handler = taskHandler('mixAudio', mixAudio)
