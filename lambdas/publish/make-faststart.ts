import { planFaststart } from '../../lib/media/faststart/plan-faststart.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import { tagsFor } from '../../lib/publish/manifest/retention.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same source would give other bytes. */
const RECIPE = 1

export async function makeFaststart(
  { key, etag, archiveId, keepDays }: TaskInput<'makeFaststart'>,
  { storage }: Services,
): Promise<TaskOutput<'makeFaststart'>> {
  const source = await storage.open(key, etag)
  const making = { format: 'faststart', what: 'faststart copy', of: 'recording' } as const
  return skipIfDamaged<TaskOutput<'makeFaststart'>>(making, { files: [] }, async () => {
    const plan = await planFaststart(source)
    if (plan.kind === 'as is') return { files: [{ role: 'faststart', key, size: source.size, sha256: null }] }
    // Not called archive.mp4, which is what the platform uploads.
    const copy = keys.published(archiveId, 'faststart', editionOf({ etag, recipe: RECIPE }), 'recording.mp4')
    const { size } = await storage.assemble(copy, { key, etag }, plan.parts, 'video/mp4', tagsFor(keepDays))
    return { files: [{ role: 'faststart', key: copy, size, sha256: null }] }
  })
}

export const handler = taskHandler('makeFaststart', makeFaststart)
