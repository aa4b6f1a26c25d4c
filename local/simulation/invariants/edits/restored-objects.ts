import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { editsIn, isDone, isOfDeletion, type SeenEdit } from '../requests/edits-of.ts'

/** Checks that a restored recording has as many objects again as its deletion has hidden, unless a fault interrupted one of the two. */
export function restoredObjects(evidence: Pick<Evidence, 'apiRequests' | 'trace'>): string[] {
  const exceptions = exceptionsIn(evidence.trace)
  const byRecording = Map.groupBy(editsIn(evidence).filter(isOfDeletion), ({ archiveId }) => archiveId)
  return [...byRecording].flatMap(([archiveId, edits]) =>
    edits.flatMap((edit, index) => {
      const [before, deletion] = [edits[index - 2], edits[index - 1]]
      const isRestored =
        deletion?.action === 'DELETE' && edit.action === 'POST restore' && isDone(deletion) && isDone(edit)
      const isFirst = before === undefined || (before.action === 'POST restore' && isDone(before))
      if (!isRestored || !isFirst) return []
      const [hidden, restored] = [objectsIn(deletion), objectsIn(edit)]
      if (hidden === restored) return []
      if (exceptions.some(({ at }) => at >= deletion.askedAt && at <= edit.answeredAt)) return []
      return [`${hidden} objects of the recording ${archiveId} were deleted, and ${restored} restored`]
    }),
  )
}

const objectsIn = ({ answer }: SeenEdit) => (JSON.parse(answer) as { readonly objects: number }).objects
