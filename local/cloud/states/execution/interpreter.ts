import { dataLimitExceeded, QueryEvaluationError, StatesError } from '../definition/errors.ts'
import { exceedsPayload } from '../definition/limits.ts'
import type { Machine, State } from '../definition/machine.ts'
import { runMap, runParallel } from './branches.ts'
import { emit, type Flow, type Position } from './flow.ts'
import { WHOLE } from './history.ts'
import { type StatePayload, toPayload } from './payload.ts'
import { runChoice, runFail, runPlain, runWait } from './plain-states.ts'
import { createStateRetries, findCatcher } from './retry.ts'
import { runTask } from './task-state.ts'
import { bindingsOf, locate, type StateVisit, type VisitOutcome } from './visit.ts'

/**
 * Runs a machine from a position to its end and returns its output.
 * @param onMove called with each position before its state is entered
 * @param resumed true if the first state was entered before, as in a redrive
 * @throws StatesError when a state fails; the signal’s reason when the flow is aborted
 */
export async function runMachine(
  flow: Flow,
  machine: Machine,
  start: Position,
  onMove?: (position: Position) => void,
  resumed = false,
): Promise<StatePayload> {
  let position = start
  let isEntered = resumed
  for (;;) {
    onMove?.(position)
    const state = machine.states.get(position.state)
    if (!state) throw new StatesError('States.Runtime', `There is no state '${position.state}'.`)
    const { next, output } = await runState(flow, state, position.input, isEntered)
    if (next === undefined) return output
    position = { state: next, input: output }
    isEntered = false
  }
}

interface Left {
  readonly next: string | undefined
  readonly output: StatePayload
}

async function runState(flow: Flow, state: State, input: StatePayload, isEntered: boolean): Promise<Left> {
  const visit = enter(flow, state, input, isEntered)
  const retries = createStateRetries('retry' in state ? state.retry : [], flow.surroundings.random)
  for (;;) {
    try {
      return await leave(visit, await attempt(visit))
    } catch (error) {
      const failure = asFailure(visit, error)
      const delay = retries.delay(failure)
      if (delay === undefined) return await fail(visit, failure)
      await flow.surroundings.clock.sleep(delay, flow.signal)
      visit.retryCount = retries.count
    }
  }
}

function enter(flow: Flow, state: State, input: StatePayload, isEntered: boolean): StateVisit {
  const before = flow.previous
  const { name, type } = state
  if (!isEntered) {
    emit(flow, `${type}StateEntered`, { stateEnteredEventDetails: { name, input: input.text, inputDetails: WHOLE } })
  }
  flow.open = type === 'Task' || type === 'Wait' || type === 'Parallel' || type === 'Map' ? type : undefined
  const enteredTime = new Date(flow.surroundings.clock.now()).toISOString()
  return { flow, state, input, before, entered: flow.previous, enteredTime, retryCount: 0 }
}

/** Runners of the types of states. */
const RUN: {
  readonly [Type in State['type']]: (
    visit: StateVisit<Extract<State, { readonly type: Type }>>,
    run: typeof runMachine,
  ) => VisitOutcome | Promise<VisitOutcome>
} = {
  Pass: runPlain,
  Succeed: runPlain,
  Fail: runFail,
  Choice: runChoice,
  Wait: runWait,
  Task: runTask,
  Parallel: runParallel,
  Map: runMap,
}

const attempt = (visit: StateVisit) => RUN[visit.state.type](visit as never, runMachine)

/** Evaluates Output and Assign with the old variables, and records the exit. */
async function leave(visit: StateVisit, { exit, output: otherwise, states }: VisitOutcome): Promise<Left> {
  const { flow, state } = visit
  const { assign, next } = exit
  const bindings = exit.output || assign.length > 0 ? bindingsOf(visit, states) : {}
  const assigned: Record<string, unknown> = {}
  for (const { variable, value } of assign) assigned[variable] = await value.evaluate(bindings)
  const output = exit.output ? toPayload(await exit.output.evaluate(bindings)) : otherwise
  if (exceedsPayload(output.text)) throw dataLimitExceeded(state.name)
  const details = { name: state.name, output: output.text, outputDetails: WHOLE, ...describeAssigned(state, assigned) }
  emit(flow, `${state.type}StateExited`, { stateExitedEventDetails: details })
  if (assign.length > 0) flow.variables = { ...flow.variables, ...assigned }
  flow.open = undefined
  return { next, output }
}

function describeAssigned(state: State, assigned: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(assigned)
  if (entries.length === 0) return {}
  const texts = entries.map(([variable, value]) => [variable, JSON.stringify(value)] as const)
  if (exceedsPayload(texts.map(([, text]) => text).join(''))) throw dataLimitExceeded(state.name)
  return { assignedVariables: Object.fromEntries(texts), assignedVariablesDetails: WHOLE }
}

/** Returns an error that Retry and Catch can match. AWS writes an extra event for a failed expression. */
function asFailure(visit: StateVisit, error: unknown): StatesError {
  const { flow, state, entered, before } = visit
  if (flow.signal.aborted) throw flow.signal.reason
  if (!(error instanceof StatesError)) return new StatesError('States.Runtime', locate(visit, String(error)))
  if (!(error instanceof QueryEvaluationError)) return error
  const failure = new StatesError(error.name, locate(visit, error.message))
  if (flow.previous === entered) flow.previous = before
  const { location } = error
  const details = { error: failure.name, cause: failure.message, ...(location && { location }), state: state.name }
  emit(flow, 'EvaluationFailed', { evaluationFailedEventDetails: details })
  return failure
}

async function fail(visit: StateVisit, failure: StatesError): Promise<Left> {
  const { flow, state } = visit
  if (failure.fatal) throw failure
  if (state.type === 'Parallel' || state.type === 'Map') {
    emit(flow, `${state.type}StateFailed`)
    flow.open = undefined
  }
  const catcher = 'catch' in state ? findCatcher(state.catch, failure) : undefined
  if (!catcher) throw failure
  const errorOutput = { Error: failure.name, Cause: failure.message }
  try {
    return await leave(visit, { exit: catcher.exit, output: toPayload(errorOutput), states: { errorOutput } })
  } catch (error) {
    throw asFailure(visit, error)
  }
}
