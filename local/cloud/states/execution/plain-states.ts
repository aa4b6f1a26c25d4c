import { QueryEvaluationError, StatesError } from '../definition/errors.ts'
import { evaluateAs } from '../definition/expressions.ts'
import { isTimestamp } from '../definition/fields.ts'
import { SECONDS, WAIT_MS } from '../definition/limits.ts'
import type { ChoiceState, FailState, PlainState, WaitState } from '../definition/machine.ts'
import { bindingsOf, locate, type StateVisit, type VisitOutcome } from './visit.ts'

/** Runs Pass and Succeed, which only have Output and Assign. */
export const runPlain = ({ state, input }: StateVisit<PlainState>): VisitOutcome => ({
  exit: state.exit,
  output: input,
})

/** @throws StatesError always, with its error and cause */
export async function runFail(visit: StateVisit<FailState>): Promise<never> {
  const bindings = bindingsOf(visit)
  const { error, cause } = visit.state
  const name = error ? await evaluateAs<string>(error, bindings, 'string') : ''
  throw new StatesError(name, cause ? await evaluateAs<string>(cause, bindings, 'string') : '')
}

/** @throws StatesError `States.NoChoiceMatched` when no condition holds and there is no default */
export async function runChoice(visit: StateVisit<ChoiceState>): Promise<VisitOutcome> {
  const { state, input } = visit
  const bindings = bindingsOf(visit)
  for (const { condition, exit } of state.choices) {
    if (await evaluateAs<boolean>(condition, bindings, 'boolean')) return { exit, output: input }
  }
  if (state.otherwise) return { exit: state.otherwise, output: input }
  throw new StatesError('States.NoChoiceMatched', `No choice of state '${state.name}' matched, and it has no Default.`)
}

export async function runWait(visit: StateVisit<WaitState>): Promise<VisitOutcome> {
  const { flow, state, input } = visit
  await flow.surroundings.clock.sleep(await waitMs(visit), flow.signal)
  return { exit: state.exit, output: input }
}

async function waitMs(visit: StateVisit<WaitState>): Promise<number> {
  const { seconds, timestamp } = visit.state
  const bindings = bindingsOf(visit)
  if (seconds) return 1000 * (await evaluateAs<number>(seconds, bindings, 'integer', { min: 0, max: SECONDS }))
  if (!timestamp) throw new StatesError('States.Runtime', 'A Wait state has neither Seconds nor Timestamp.')
  const text = await evaluateAs<string>(timestamp, bindings, 'string')
  if (!isTimestamp(text))
    throw new QueryEvaluationError(
      timestamp.location,
      `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${text}`,
    )
  const ms = Math.max(0, Date.parse(text) - visit.flow.surroundings.clock.now())
  if (ms > WAIT_MS) throw new StatesError('States.Runtime', locate(visit, 'Wait state delay is too long.'))
  return ms
}
