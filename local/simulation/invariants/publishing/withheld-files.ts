import { keys } from '../../../../lib/show/state/keys.ts'
import { isReplaced } from '../../chaos/replace-file.ts'
import type { Evidence } from '../evidence.ts'
import { isJudged } from '../requests/judgements.ts'
import { type ArchiveFile, archiveFilesIn, isGivenUp, type SeenManifest } from './archive-files.ts'

type Seen = Pick<Evidence, 'objects' | 'versions' | 'executions' | 'messages' | 'trace' | 'apiRequests'>

/**
 * Checks that a published recording stays when its file is replaced by an incomplete one, which is withheld until an operator decides.
 * So does one that is only ready then.
 */
export function withheldFiles(evidence: Seen): string[] {
  return archiveFilesIn(evidence).flatMap((file) => {
    const { key, object, manifest } = file
    if (!isReplaced(key, evidence.trace) || isJudged(evidence, file.archiveId)) return []
    const isPublished =
      manifest?.status === 'complete' || (manifest?.status === 'ready' && !wasComplete(file, evidence))
    if (!isPublished || manifest.source.size <= object.size)
      return [`${key} was replaced by an incomplete file, and its publication with it`]
    const isWithheld = manifest.withheld?.size === object.size
    return isWithheld || isGivenUp(file, evidence) ? [] : [`${key} was replaced, and nothing reports it to an operator`]
  })
}

const wasComplete = ({ archiveId }: ArchiveFile, { versions }: Seen) =>
  versions.some(
    ({ key, text }) => key === keys.manifest(archiveId) && (JSON.parse(text) as SeenManifest).status === 'complete',
  )
