import { hashFaststart } from '../../media/faststart/hash-faststart.ts'
import { planFaststart } from '../../media/faststart/plan-faststart.ts'
import { MediaError } from '../../media/media-error.ts'
import type { TaskRun } from '../../services.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import { tagsFor } from '../manifest/manifest.ts'
import { mediaOf } from '../media-functions.ts'
import { openTask } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

/** Publishes a copy of a recording with its index first; lists the source itself where its index is first already. */
export const publishFaststart: TaskRun<'makeFaststart'> = async (services, input) => {
  const { key, etag, keepDays } = input
  const { source, keyOf } = await openTask(input, services, { folder: 'faststart', version: 1 })
  const making = { format: 'faststart', what: 'faststart copy', of: 'recording' } as const
  return skipIfDamaged<TaskOutput<'makeFaststart'>>(making, { files: [] }, async () => {
    const plan = await mediaOf(services, { planFaststart }).planFaststart(source)
    if (plan.kind === 'as is') return { files: [{ role: 'faststart', key, size: source.size, sha256: null }] }
    // Not called archive.mp4: an object of that name would start a publish.
    const copy = keyOf('recording.mp4')
    const { size } = await services.storage.assemble(copy, { key, etag }, plan.parts, 'video/mp4', tagsFor(keepDays))
    return { files: [{ role: 'faststart', key: copy, size, sha256: null }] }
  })
}

/** Hashes a source and its faststart copy in one read. A source that is not a whole MP4 has a hash, too. */
export const hashSourceAndCopy: TaskRun<'hashSource', 'storage' | 'media'> = async (services, { key, etag }) => {
  const source = await services.storage.open(key, etag)
  const media = mediaOf(services, { planFaststart })
  const plan = await media.planFaststart(source).catch((error: unknown) => {
    if (error instanceof MediaError) return undefined
    throw error
  })
  return hashFaststart(await source.stream(), plan)
}
