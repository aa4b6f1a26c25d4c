import type { StoredObject } from '../../lib/aws/storage/storage.ts'
import { assembleComposite as assemble } from '../../lib/media/composite/assemble-composite.ts'
import { tagsFor } from '../../lib/publish/manifest/retention.ts'
import { compositeKeys, openComposite } from '../../lib/publish/open-composite.ts'
import type { Services } from '../../lib/services.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function assembleComposite(
  { bucket, key, etag, archiveId, keepDays, edition, pieces, hasAudio }: TaskInput<'assembleComposite'>,
  { storage }: Services,
): Promise<TaskOutput<'assembleComposite'>> {
  const { plan } = await openComposite({ key, etag }, { storage })
  const at = compositeKeys(archiveId, edition)
  const open = async (made: string): Promise<StoredObject> => {
    const madeEtag = await storage.etagOf(made)
    if (madeEtag === undefined)
      throw new TaskInputError(`${made} is not there: all pieces and the audio have to be made first.`)
    return storage.open(made, madeEtag)
  }
  const sources: StoredObject[] = []
  for (let index = 0; index < pieces; index++) sources.push(await open(at.piece(index)))
  const bytes = assemble(sources, hasAudio ? await open(at.audio) : null, plan)
  const { size, sha256 } = await storage.putStream(at.whole, bytes, 'video/mp4', tagsFor(keepDays))
  return {
    files: [{ role: 'composite', key: at.whole, size, sha256 }],
    composite: { bucket, key: at.whole, etag: (await storage.etagOf(at.whole)) ?? '' },
  }
}

export const handler = taskHandler('assembleComposite', assembleComposite)
