import type { Evidence } from '../evidence.ts'
import { editsIn, isDone, isUncertain } from './edits-of.ts'

type Judged = Pick<Evidence, 'apiRequests'>

/** Requests by which an operator decides about a withheld file. */
export const JUDGEMENTS: ReadonlySet<string> = new Set(['POST accept', 'POST reject'])

/** Returns true if the withheld file of a recording was accepted or rejected, or may have been. */
export const isJudged = (evidence: Judged, archiveId: string): boolean =>
  editsIn(evidence).some(
    (edit) => edit.archiveId === archiveId && JUDGEMENTS.has(edit.action) && (isDone(edit) || isUncertain(edit)),
  )

/** Returns true if the withheld file of a recording was accepted, or may have been. */
export const isAccepted = (evidence: Judged, archiveId: string): boolean =>
  editsIn(evidence).some(
    (edit) => edit.archiveId === archiveId && edit.action === 'POST accept' && (isDone(edit) || isUncertain(edit)),
  )
