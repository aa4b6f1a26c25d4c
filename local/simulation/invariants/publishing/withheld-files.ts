import { isReplaced } from '../../chaos/replace-file.ts'
import type { Evidence } from '../evidence.ts'
import { isJudged } from '../requests/judgements.ts'
import { archiveFilesIn, isGivenUp } from './archive-files.ts'

type Seen = Pick<Evidence, 'objects' | 'executions' | 'messages' | 'trace' | 'apiRequests'>

/** Checks that a published recording stays when its file is replaced by an incomplete one, which is withheld until an operator decides. */
export function withheldFiles(evidence: Seen): string[] {
  return archiveFilesIn(evidence).flatMap((file) => {
    const { key, object, manifest } = file
    if (!isReplaced(key, evidence.trace) || isJudged(evidence, file.archiveId)) return []
    if (manifest?.status !== 'complete' || manifest.source.size <= object.size)
      return [`${key} was replaced by an incomplete file, and its publication with it`]
    const isWithheld = manifest.withheld?.size === object.size
    return isWithheld || isGivenUp(file, evidence) ? [] : [`${key} was replaced, and nothing reports it to an operator`]
  })
}
