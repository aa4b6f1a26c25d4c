import type { HistoryEvent } from '../../../cloud/states/execution/history.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

type Seen = Pick<Evidence, 'shows' | 'executions'>

/** Errors of which the reason is a fixed sentence, and not their message. */
const REWORDED = ['States.Timeout', 'Lambda.TooManyRequestsException']

/** The error of an execution that could not report its show. The sweep starts another one, which closes it. */
const UNREPORTED = 'ShowUnreported'

/**
 * Checks that a show which ends because a task of its machine has failed says so: the reason is the message of the failure, and the
 * show has failed. A show that had ended before keeps its first reason, and the execution that follows an unreported one has its own.
 */
export function namedFailures({ shows, executions }: Seen): string[] {
  return shows.flatMap((show) => {
    const failures = executions
      .filter(({ machine, name }) => machine === 'show' && name === (show.state?.executionName ?? show.showId))
      .filter(({ error }) => error !== UNREPORTED)
      .flatMap(({ history }) => failureBeforeStop(history))
    return failures.flatMap((failure) => problemsOf(show, failure))
  })
}

interface Failure {
  readonly at: number
  readonly error: string
  /** The input of the state that stops the show, and what was assigned before it. */
  readonly texts: string
}

/** Returns the failure with which a machine begins to stop its show; [] when nothing had failed. */
function failureBeforeStop(history: readonly HistoryEvent[]): Failure[] {
  const at = history.findIndex(({ stateEnteredEventDetails: entered }) => entered?.name === 'Stop show')
  const [left, entered] = [history[at - 1], history[at]]
  const input = String(entered?.stateEnteredEventDetails?.input ?? '{}')
  const { Error: error } = JSON.parse(input) as { readonly Error?: string }
  if (!entered || error === undefined) return []
  const assigned = JSON.stringify(left?.stateExitedEventDetails?.assignedVariables ?? {})
  return [{ at: new Date(entered.timestamp).getTime(), error, texts: plain(input + assigned) }]
}

/** Returns a text without the escapes of JSON in JSON. */
const plain = (text: string) => text.replaceAll(/[\\"]/g, '')

function problemsOf({ showId, state, result }: ShowEvidence, { at, error, texts }: Failure): string[] {
  if (!state?.endReason || !result || state.stopAskedAt || Date.parse(state.endedAt ?? '') < at) return []
  const isNamed = REWORDED.includes(error) || texts.includes(plain(state.endReason))
  return [
    ...(isNamed ? [] : [`the show ${showId} ended with ${error}, and names as its reason: ${state.endReason}`]),
    ...(result.status === 'succeeded' ? [`the show ${showId} succeeded, although it ended with ${error}`] : []),
  ]
}
