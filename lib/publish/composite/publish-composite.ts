import type { StoredObject } from '../../aws/storage/storage.ts'
import { assembleComposite } from '../../media/composite/assemble-composite.ts'
import type { Services } from '../../services.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { tagsFor } from '../manifest/retention.ts'
import { compositeKeys, openComposite } from './open-composite.ts'

/**
 * Joins the pieces and the audio of a composite to one MP4 and publishes it.
 * @throws {@link TaskInputError} when a piece or the audio is missing
 */
export async function publishComposite(
  { bucket, key, etag, archiveId, keepDays, edition, pieces, hasAudio }: TaskInput<'assembleComposite'>,
  { storage }: Pick<Services, 'storage'>,
): Promise<TaskOutput<'assembleComposite'>> {
  const { plan } = await openComposite({ key, etag }, storage)
  const { piece, audio, whole } = compositeKeys(archiveId, edition)
  const open = async (made: string): Promise<StoredObject> => {
    const madeEtag = await storage.etagOf(made)
    if (madeEtag === undefined) throw new TaskInputError(`${made} is missing. Rebuild the recording.`)
    return storage.open(made, madeEtag)
  }
  const sources: StoredObject[] = []
  for (let index = 0; index < pieces; index++) sources.push(await open(piece(index)))
  const bytes = assembleComposite(sources, hasAudio ? await open(audio) : null, plan)
  const { size, sha256 } = await storage.putStream(whole, bytes, 'video/mp4', tagsFor(keepDays))
  return {
    files: [{ role: 'composite', key: whole, size, sha256 }],
    composite: { bucket, key: whole, etag: (await storage.etagOf(whole)) ?? '' },
  }
}
