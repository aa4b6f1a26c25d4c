import type { Evidence } from '../evidence.ts'
import { editsIn, isDone, isUncertain } from '../requests/edits-of.ts'

/**
 * Checks that the platform keeps its copy of a recording by docs/deploy.md: only a request deletes it, at once if that is permanent,
 * and otherwise once the recording cannot be restored any more.
 */
export function keptCopies(evidence: Pick<Evidence, 'apiRequests' | 'statusChanges'>): string[] {
  const deletions = editsIn(evidence).filter(({ action }) => action === 'DELETE')
  return evidence.statusChanges.flatMap(({ kind, id, status, at }) => {
    if (kind !== 'archive' || status !== 'deleted') return []
    const before = deletions.filter((edit) => edit.archiveId === id && edit.askedAt <= at)
    const effective = before.filter((edit) => isDone(edit) || isUncertain(edit))
    if (effective.length === 0) return [`the platform’s copy of ${id} was deleted, and no request did so`]
    if (effective.some(({ permanently }) => permanently)) return []
    const { answer = '{}' } = effective.findLast(isDone) ?? {}
    const { restorableUntil = '' } = JSON.parse(answer) as { readonly restorableUntil?: string }
    return at < Date.parse(restorableUntil)
      ? [`the platform’s copy of ${id} was deleted, although the recording could be restored until ${restorableUntil}`]
      : []
  })
}
