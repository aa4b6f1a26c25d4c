import type { Evidence } from '../evidence.ts'
import { editsIn, isDone } from '../requests/edits-of.ts'

/** Checks that no version is left of a clip whose deletion was answered: a recording that is restored later would have it again. */
export const deletedClips = (evidence: Pick<Evidence, 'apiRequests' | 'versions'>): string[] =>
  editsIn(evidence)
    .filter((edit) => edit.action === 'DELETE clips' && isDone(edit))
    .flatMap(({ archiveId, of }) => {
      const left = evidence.versions.filter(({ key }) => key.startsWith(`recordings/${archiveId}/clips/${of}/`))
      return left.map(({ key }) => `the clip ${of} was deleted, and a version of ${key} is left`)
    })
