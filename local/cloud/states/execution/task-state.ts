import { startTimeout } from '../../../../lib/clock.ts'
import { dataLimitExceeded, StatesError } from '../definition/errors.ts'
import { evaluateAs } from '../definition/expressions.ts'
import { exceedsPayload, SECONDS } from '../definition/limits.ts'
import type { TaskState } from '../definition/machine.ts'
import { linkAbort, orAbort } from './abort.ts'
import { type StatePayload, toPayload } from './payload.ts'
import { createTaskEvents } from './task-events.ts'
import { bindingsOf, type StateVisit, type VisitOutcome } from './visit.ts'

/** @throws StatesError its error, or `States.Timeout` after its TimeoutSeconds */
export async function runTask(visit: StateVisit<TaskState>): Promise<VisitOutcome> {
  const { state } = visit
  const bindings = bindingsOf(visit)
  const args = state.arguments ? toPayload(await state.arguments.evaluate(bindings)) : visit.input
  if (exceedsPayload(args.text)) throw dataLimitExceeded(state.name)
  const range = { min: 1, max: SECONDS }
  const timeout = state.timeoutSeconds && (await evaluateAs<number>(state.timeoutSeconds, bindings, 'integer', range))
  const result = await performTask(visit, args, timeout)
  return { exit: state.exit, output: result, states: { result: result.value } }
}

async function performTask(
  { flow, state }: StateVisit<TaskState>,
  args: StatePayload,
  timeout: number | undefined,
): Promise<StatePayload> {
  const { clock, tasks } = flow.surroundings
  const task = tasks.find(state.resource)
  const events = createTaskEvents(flow, task.kind)
  events.scheduled(args, timeout)
  events.started()
  const { controller, release } = linkAbort(flow.signal)
  const timer = timeout && startTimeout(clock, timeout * 1000, () => controller.abort(TIMED_OUT))
  try {
    const { signal } = controller
    const call = { arguments: JSON.parse(args.text), context: flow.context, signal, submitted: events.submitted }
    const result = toPayload((await orAbort(task.run(call), signal)) ?? null)
    if (exceedsPayload(result.text)) throw dataLimitExceeded(task.kind.title)
    events.succeeded(result)
    return { text: result.text, value: JSON.parse(result.text) }
  } catch (error) {
    if (flow.signal.aborted) throw flow.signal.reason
    if (error === TIMED_OUT) {
      events.timedOut()
      throw TIMED_OUT
    }
    const failure = error instanceof StatesError ? error : new StatesError('States.Runtime', String(error))
    if (!failure.fatal) events.failed(failure)
    throw failure
  } finally {
    if (timer) timer.cancel()
    release()
  }
}

const TIMED_OUT = new StatesError('States.Timeout', '')
