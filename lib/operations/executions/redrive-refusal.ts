import type { ExecutionHistory } from '../../aws/execution-histories.ts'
import { isTerminal, type ShowState } from '../../show/state/state.ts'
import { closingName } from '../../tasks/show-machines.ts'

/** Returns the name of the newest execution of the show machine for a show: the one that closes it, if it is being closed. */
export const newestExecutionOf = ({ showId, executionName = showId, closings }: ShowState): string =>
  closings > 0 ? closingName(showId, closings) : executionName

/**
 * Returns the reason for which the newest execution of a show cannot be redriven; undefined if it can. A redrive resumes at the
 * state that failed. A `Fail` state would fail again, so only an interrupted execution is redriven.
 */
export function redriveRefusal(
  { showId, status }: Pick<ShowState, 'showId' | 'status'>,
  { description, events }: ExecutionHistory,
): string | undefined {
  const { name, status: executionStatus, redriveStatus, redriveStatusReason } = description
  if (executionStatus === 'RUNNING') return `The execution ${name} is running.`
  if (isTerminal(status)) return `The show ${showId} is over. Post it as a new one.`
  const last = events.findLast(({ type }) => type?.endsWith('StateEntered'))
  if (last?.type === 'FailStateEntered')
    return `The execution ${name} ended in its state "${last.stateEnteredEventDetails?.name}", and would fail there again.`
  if (redriveStatus === 'REDRIVABLE') return undefined
  return `The execution ${name} cannot be redriven: ${redriveStatusReason ?? executionStatus}.`
}
