import { describeExecution } from '../../../lib/operations/executions/describe-execution.ts'
import { newestExecutionOf, redriveRefusal } from '../../../lib/operations/executions/redrive-refusal.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { closingName, type ShowMachine } from '../../../lib/tasks/show-machines.ts'
import { ApiProblem } from '../../http/problem.ts'
import { idempotencyIdOf, noShow, ok, polledAt, type Routes, showIdOf } from '../../http/request.ts'

export const executionRoutes = {
  /** Reads the history of an execution of the show, or of a child. Payloads contain names only, so it holds no secret. */
  async 'GET /shows/{id}/execution'(event, { records, executionHistories }, { query }) {
    const showId = showIdOf(event)
    const state = await records.readState(showId)
    if (!state) throw noShow(showId)
    const { machine = 'show', name = state.executionName ?? showId } = query
    const found = await executionHistories.read(machine, name)
    if (!found || !isOf(state, machine, name, found.description.input)) throw noExecution(showId, machine, name)
    const isNewest = machine === 'show' && name === newestExecutionOf(state)
    const redrivable = isNewest && redriveRefusal(state, found) === undefined
    return ok({ showId, ...describeExecution(machine, found), closings: closingsOf(state), redrivable })
  },

  /** Resumes the newest execution of the show machine. A repetition with the same key finds it running, and has no effect. */
  async 'POST /shows/{id}/execution/redrive'(event, { records, executionHistories, showExecutions }) {
    const showId = showIdOf(event)
    const key = idempotencyIdOf(event)
    const state = await records.readState(showId)
    if (!state) throw noShow(showId)
    const executionName = newestExecutionOf(state)
    const found = await executionHistories.read('show', executionName)
    if (!found) throw noExecution(showId, 'show', executionName)
    const isRepeated = key !== undefined && found.description.status === 'RUNNING'
    const refusal =
      (isRepeated ? undefined : redriveRefusal(state, found)) ?? (await showExecutions.redrive(executionName, key))
    if (refusal) throw new ApiProblem('not-redrivable', refusal)
    return ok({ showId, executionName }, 202, polledAt(`/shows/${showId}/execution`))
  },
} satisfies Partial<Routes>

const noExecution = (showId: string, machine: ShowMachine, name: string) =>
  new ApiProblem(
    'unknown-execution',
    `The show ${showId} has no execution ${name} of the machine ${machine}, or it ended more than 90 days ago.`,
  )

/** Returns whether an execution is of a show. The input of a child names it. */
function isOf(state: ShowState, machine: ShowMachine, name: string, input = '{}'): boolean {
  if (machine !== 'show') return JSON.parse(input).showId === state.showId
  return [state.executionName ?? state.showId, ...closingsOf(state)].includes(name)
}

const closingsOf = ({ showId, closings }: ShowState) =>
  Array.from({ length: closings }, (_, index) => closingName(showId, index + 1))
