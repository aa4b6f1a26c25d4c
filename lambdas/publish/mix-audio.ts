import { mixAudio as mix } from '../../lib/media/composite/mix-audio.ts'
import { tagsFor } from '../../lib/publish/manifest/retention.ts'
import { compositeEdition, compositeKeys, openComposite } from '../../lib/publish/open-composite.ts'
import { asMediaError } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function mixAudio(
  { key, etag, archiveId, keepDays }: TaskInput<'mixAudio'>,
  { storage, variable }: Services,
): Promise<TaskOutput<'mixAudio'>> {
  const ffmpegPath = variable('FFMPEG_PATH')
  const { archive, plan } = await openComposite({ key, etag }, { storage })
  const edition = await compositeEdition(etag, ffmpegPath)
  const hasAudio = plan.voices.length > 0
  if (hasAudio) {
    await asMediaError({ of: 'audio' }, () => {
      const bytes = mix(archive, plan, { ffmpegPath })
      return storage.putStream(compositeKeys(archiveId, edition).audio, bytes, 'audio/mp4', tagsFor(keepDays))
    })
  }
  return { hasAudio, edition }
}

export const handler = taskHandler('mixAudio', mixAudio)
