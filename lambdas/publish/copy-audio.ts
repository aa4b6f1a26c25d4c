import { copyAudio as copyAudioOf } from '../../lib/media/audio/copy-audio.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { tagsFor } from '../../lib/publish/manifest/retention.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function copyAudio(
  { key, etag, archiveId, keepDays }: TaskInput<'copyAudio'>,
  { storage }: Services,
): Promise<TaskOutput<'copyAudio'>> {
  const pieces = copyAudioOf(await storage.open(key, etag))
  const making = { format: 'audio', what: 'audio of its own', of: 'audio' } as const
  return skipIfDamaged<TaskOutput<'copyAudio'>>(making, { files: [] }, async () => {
    const { value: head } = await pieces.next()
    if (!head) return { files: [] }
    async function* whole() {
      yield head as Uint8Array
      yield* pieces
    }
    const target = keys.published(archiveId, 'audio', editionOf({ etag, recipe: RECIPE }), 'audio.m4a')
    const stored = await storage.putStream(target, whole(), 'audio/mp4', tagsFor(keepDays))
    return { files: [{ role: 'audio', key: target, ...stored }] }
  })
}

export const handler = taskHandler('copyAudio', copyAudio)
