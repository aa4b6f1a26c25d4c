import { EARLY_REBUILD } from '../../generator/edits/edit-requests.ts'
import type { Evidence } from '../evidence.ts'
import { archiveFilesIn, hexOf, isGivenUp } from '../publishing/archive-files.ts'
import { editsIn, isDone } from '../requests/edits-of.ts'
import { JUDGEMENTS } from '../requests/judgements.ts'

/**
 * Checks that a withheld file that was accepted is the published one, and that one that was rejected is gone: the published file is
 * current again. Nothing is withheld then. Before that, the recording is not rebuilt.
 */
export function judgedFiles(evidence: Pick<Evidence, 'apiRequests' | 'objects' | 'executions' | 'messages'>): string[] {
  const files = new Map(archiveFilesIn(evidence).map((file) => [file.archiveId, file]))
  return editsIn(evidence).flatMap((edit) => {
    const { archiveId, action, key } = edit
    if (key === EARLY_REBUILD) return isDone(edit) ? [`${archiveId} was rebuilt while its file was withheld`] : []
    const file = files.get(archiveId)
    if (!JUDGEMENTS.has(action) || !isDone(edit) || !file?.manifest || isGivenUp(file, evidence)) return []
    const { manifest, object } = file
    const how = action === 'POST accept' ? 'accepted' : 'rejected'
    const isPublished = manifest.source.size === object.size && [null, hexOf(object)].includes(manifest.source.sha256)
    return [
      ...(isPublished ? [] : [`a file of ${archiveId} was ${how}, and the current one is not the published one`]),
      ...(manifest.withheld ? [`a file of ${archiveId} was ${how}, and is still withheld`] : []),
    ]
  })
}
