import { isPublished, type ShowSnapshot } from './poll-show.ts'

/** The progress of publishing all parts of a recording. */
export interface PublishProgress {
  /** True once no part is being published any more. */
  readonly isDone: boolean
  readonly isComplete: boolean
  /** The current step, or how far it is. */
  readonly detail: string
  /** Why a part cannot be watched. Absent as long as it may still be published. */
  readonly problem?: string
}

/** Returns the progress of publishing a recording. A part that is `ready` can be watched, and further files follow. */
export function publishProgress(name: string, { show, published, publishing }: ShowSnapshot): PublishProgress {
  const parts = show.result?.recordings.filter((one) => one.name === name) ?? []
  const found = parts.flatMap(({ archiveId }) => published.filter((one) => one.archiveId === archiveId))
  const isDone = parts.length > 0 && parts.every(({ archiveId }) => isPublished(archiveId, published))
  const isComplete = isDone && found.every(({ status }) => status === 'complete')
  const problem = problemOf(parts, found)
  const steps = parts.flatMap(({ archiveId = '' }) => publishing.get(archiveId) ?? [])
  const step = steps[0] ? inSentence(steps[0]) : 'waiting for the publish to start'
  const isPlayable = parts.length > 0 && found.length === parts.length && !problem
  const detail = isPlayable ? `playable; smaller sizes and other files follow: ${step}` : step
  return { isDone, isComplete, detail, ...(problem && { problem }) }
}

function problemOf(
  parts: readonly { readonly archiveId?: string | undefined; readonly lost?: string | undefined }[],
  found: ShowSnapshot['published'],
): string | undefined {
  const failed = found.find(({ status }) => status === 'failed')
  if (failed) return failed.message ?? 'its publishing failed'
  const lost = parts.find(({ lost }) => lost)?.lost
  if (lost) return lost
  return found.length < parts.length || parts.length === 0 ? 'it was not published' : undefined
}

/** Converts the name of a state, such as `Cut pieces`, for the middle of a sentence. */
const inSentence = (state: string) => `${state.charAt(0).toLowerCase()}${state.slice(1)}`
