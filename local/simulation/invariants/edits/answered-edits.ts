import { isJoinedId } from '../../../../lib/show/document/fields/names.ts'
import { type ReplacingFile, replacementsIn } from '../../chaos/replace-file.ts'
import { OTHER_ETAG, UNKNOWN } from '../../generator/edits/edit-requests.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { editsIn, isDone, isOfDeletion, isUncertain, type SeenEdit } from '../requests/edits-of.ts'
import { JUDGEMENTS } from '../requests/judgements.ts'
import { problemIn } from '../requests/problem-in.ts'

/** What the answers to earlier requests say about a recording; undefined if one of them was lost. */
type Known =
  | { readonly is: 'there' | 'gone' }
  /** @property until end of the time in which it can be restored, in milliseconds since the epoch */
  | { readonly is: 'deleted'; readonly until: number }
  | undefined

/**
 * Checks the answers to requests that delete, restore and judge a recording by docs/problems.md: each follows from the answers
 * before it. A recording that cannot be restored any more is answered as one that does not exist, as one that never did.
 */
export function answeredEdits(evidence: Seen): string[] {
  return [...Map.groupBy(editsIn(evidence), ({ archiveId }) => archiveId)].flatMap(([archiveId, edits]) => {
    const wrong = [
      ...wrongDeletions(archiveId, edits.filter(isOfDeletion)),
      ...earlyDeletions(edits, evidence),
      ...wrongJudgements(edits, replacementsIn(evidence.trace)),
    ]
    return wrong.map(({ edit, known }) => {
      const { action, key, status } = edit
      return `${action} of ${archiveId} with the key ${key} was answered ${[status, problemIn(edit.answer) ?? ''].join(' ').trim()}, although ${known}`
    })
  })
}

type Seen = Pick<Evidence, 'apiRequests' | 'statusChanges' | 'trace'>

/** Statuses of archives whose file is not whole. */
const AT_WORK: ReadonlySet<string> = new Set(['started', 'paused', 'stopped'])

interface Wrong {
  readonly edit: SeenEdit
  /** The end of a sentence. */
  readonly known: string
}

function wrongDeletions(archiveId: string, edits: readonly SeenEdit[]): Wrong[] {
  let known: Known = archiveId === UNKNOWN ? { is: 'gone' } : isJoinedId(archiveId) ? undefined : { is: 'there' }
  return edits.flatMap((edit) => {
    const before = isMeanwhile(edit, edits) ? undefined : known
    known = knownAfter(edit, before)
    const isWrong = before !== undefined && !saysNothing(edit) && !isAllowed(edit, before)
    return isWrong ? [{ edit, known: `it was ${before.is}` }] : []
  })
}

/** A recording that the platform records or uploads all the while is not deleted, unless a fault hides it. */
function earlyDeletions(edits: readonly SeenEdit[], { statusChanges, trace }: Seen): Wrong[] {
  const statusAt = (id: string, time: number) =>
    statusChanges.findLast((one) => one.id === id && one.at <= time)?.status
  const isAtWork = (id: string, time: number) => AT_WORK.has(statusAt(id, time) ?? '')
  return edits.flatMap((edit) => {
    const { action, archiveId, askedAt, answeredAt } = edit
    const isEarly = [askedAt, answeredAt].every((time) => isAtWork(archiveId, time))
    if (action !== 'DELETE' || !isDone(edit) || !isEarly) return []
    const isExcused = exceptionsIn(trace).some(({ at }) => at >= askedAt && at <= answeredAt)
    return isExcused ? [] : [{ edit, known: 'it was being recorded or uploaded' }]
  })
}

/** Returns true for an answer that says nothing: it was lost, or is that of a fault. */
const saysNothing = (edit: SeenEdit) => isUncertain(edit) || (!isDone(edit) && problemIn(edit.answer) === undefined)

const isMeanwhile = (edit: SeenEdit, edits: readonly SeenEdit[]) =>
  edits.some((one) => one !== edit && one.askedAt <= edit.answeredAt && one.answeredAt >= edit.askedAt)

function isAllowed(edit: SeenEdit, known: NonNullable<Known>): boolean {
  const { action, status, permanently, askedAt, answeredAt, answer } = edit
  const problem = problemIn(edit.answer)
  const isLate = known.is === 'deleted' && answeredAt >= known.until
  if (problem === 'recording-busy') return known.is !== 'gone'
  if (problem === 'unknown-recording') return known.is === 'gone' || isLate
  if (problem === 'restore-expired') return isLate && action === 'POST restore'
  if (status !== 200) return false
  // It may have completed an interrupted deletion. The platform describes an archive also after its deletion, but no joined recording.
  if (known.is === 'gone')
    return permanently && edit.archiveId !== UNKNOWN && (!isJoinedId(edit.archiveId) || objectsIn(answer) > 0)
  if (action === 'POST restore') return known.is !== 'deleted' || askedAt < known.until
  const { restorableUntil } = JSON.parse(answer) as { readonly restorableUntil?: string }
  // What is purged cannot be deleted so that it can be restored.
  if (isLate) return permanently || restorableUntil === undefined || Date.parse(restorableUntil) === known.until
  return permanently || restorableUntil !== undefined
}

const objectsIn = (answer: string) => (JSON.parse(answer) as { readonly objects: number }).objects

function knownAfter(edit: SeenEdit, before: Known): Known {
  if (isUncertain(edit)) return undefined
  if (!isDone(edit)) return before
  if (edit.action === 'POST restore') return { is: 'there' }
  const { restorableUntil } = JSON.parse(edit.answer) as { readonly restorableUntil?: string }
  return restorableUntil === undefined ? { is: 'gone' } : { is: 'deleted', until: Date.parse(restorableUntil) }
}

/**
 * Judges the requests about a withheld file, which are sent one after the other. Only the newest file can be judged. A deleted
 * recording is not there.
 */
function wrongJudgements(edits: readonly SeenEdit[], replacements: readonly ReplacingFile[]): Wrong[] {
  if (edits.some(({ action }) => action === 'DELETE')) return []
  let judgement: SeenEdit | undefined
  return edits
    .filter((edit) => JUDGEMENTS.has(edit.action))
    .flatMap((edit) => {
      const known = judgement?.action
      const { etag } = JSON.parse(edit.body) as { readonly etag: string }
      const newest = replacements.findLast(({ key, at }) => key.includes(edit.archiveId) && at <= edit.askedAt)
      if (saysNothing(edit)) return []
      if (etag === OTHER_ETAG)
        return problemIn(edit.answer) === 'wrong-file' ? [] : [{ edit, known: 'another file was withheld' }]
      if (newest && newest.etag !== etag)
        return problemIn(edit.answer) === 'wrong-file' ? [] : [{ edit, known: 'another file was uploaded since' }]
      if (known === undefined || known === edit.action) {
        judgement = edit
        return isDone(edit) ? [] : [{ edit, known: known ? 'it was answered as done before' : 'the file was withheld' }]
      }
      const expected = known === 'POST accept' ? 'file-accepted' : 'wrong-file'
      return problemIn(edit.answer) === expected ? [] : [{ edit, known: `the file was judged by ${known}` }]
    })
}
