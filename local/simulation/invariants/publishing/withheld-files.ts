import { keys } from '../../../../lib/show/state/keys.ts'
import { isReplaced } from '../../chaos/replace-file.ts'
import type { Evidence, ExecutionEvidence } from '../evidence.ts'
import { isJudged } from '../requests/judgements.ts'
import { type ArchiveFile, archiveFilesIn, isGivenUp, type SeenManifest } from './archive-files.ts'

type Seen = Pick<Evidence, 'objects' | 'versions' | 'executions' | 'messages' | 'trace' | 'apiRequests'>

/**
 * Checks that a published recording stays when its file is replaced by an incomplete one, which is withheld until an operator decides.
 * So does one that is only ready then. Nothing more is made of a file once it is withheld or replaced.
 */
export function withheldFiles(evidence: Seen): string[] {
  return [...lostPublications(evidence), ...evidence.executions.flatMap(madeInVain)]
}

/** Matches the output of a task for a file that is not published. */
const UNPUBLISHED = /"status":"(withheld|replaced)"/

function madeInVain({ machine, name, history }: ExecutionEvidence): string[] {
  if (machine !== 'publish') return []
  const known = history.findIndex(
    ({ type, stateExitedEventDetails }) =>
      type === 'TaskStateExited' && UNPUBLISHED.test(String(stateExitedEventDetails?.output ?? '')),
  )
  if (known === -1) return []
  const tasks = history.slice(known).flatMap(({ type, stateEnteredEventDetails }) => {
    const task = stateEnteredEventDetails?.name ?? ''
    return type === 'TaskStateEntered' && task !== 'Write manifest' ? [task] : []
  })
  return tasks.length > 0 ? [`${name} continues with a file that is not published: ${tasks.join()}`] : []
}

function lostPublications(evidence: Seen): string[] {
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
