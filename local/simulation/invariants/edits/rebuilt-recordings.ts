import type { Format } from '../../../../lib/show/document/publishing.ts'
import type { Evidence } from '../evidence.ts'
import { editsIn, isDone } from '../requests/edits-of.ts'
import { formatsOf } from '../requests/rebuilds.ts'

/** Returns the id of the archive of which a recording, or the first part of a joined one, was published. */
const firstPartOf = (recordingId: string) => recordingId.replace(/-joined$/, '')

/**
 * Checks that each accepted rebuild has one execution, however often it was requested, with the formats that it named. That of a joined
 * recording publishes its first part, and the parts are joined again.
 */
export function rebuiltRecordings(evidence: Pick<Evidence, 'apiRequests' | 'executions'>): string[] {
  const publishes = evidence.executions.filter(({ machine }) => machine === 'publish')
  const accepted = editsIn(evidence).filter((edit) => edit.action === 'POST rebuild' && isDone(edit))
  return accepted.flatMap((edit) => {
    const { executionName = '' } = JSON.parse(edit.answer) as { readonly executionName?: string }
    const execution = publishes.find(({ name }) => name === executionName)
    if (!execution || !executionName.startsWith(edit.archiveId))
      return [`a rebuild of ${edit.archiveId} has no execution`]
    const { formats = [], key = '' } = JSON.parse(execution.input) as { formats?: Format[]; key?: string }
    return [
      ...(formats.join() === formatsOf(edit).join() ? [] : [`a rebuild of ${edit.archiveId} makes other formats`]),
      ...(key.includes(firstPartOf(edit.archiveId)) ? [] : [`a rebuild of ${edit.archiveId} publishes ${key}`]),
    ]
  })
}
