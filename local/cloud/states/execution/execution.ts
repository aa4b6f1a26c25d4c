import { executionArn, type MachineArn } from '../arns.ts'
import { StatesError } from '../definition/errors.ts'
import type { Machine } from '../definition/machine.ts'
import { type ExecutionDescription, type ExecutionStatus, redrivability } from './execution-description.ts'
import type { Flow, FlowSurroundings, Position } from './flow.ts'
import { createExecutionHistory, type EventDetails, type HistoryEvent, WHOLE } from './history.ts'
import { runMachine } from './interpreter.ts'

export interface Execution {
  readonly arn: string
  readonly machine: MachineArn
  readonly input: string
  readonly events: readonly HistoryEvent[]
  /** Removes the events so far from the history, and returns them. */
  takeEvents(): readonly HistoryEvent[]
  readonly status: ExecutionStatus
  /** Resolves when it has ended and nothing of it runs any more. */
  readonly quiet: Promise<void>
  describe(): ExecutionDescription
  /** Ends it as ABORTED, unless it has ended. */
  stop(reason: { error?: string; cause?: string }): void
  /** Resumes it from the state in which it ended. Call it only if its description is REDRIVABLE. */
  redrive(): void
}

export interface ExecutionOptions {
  readonly surroundings: FlowSurroundings
  readonly machine: Machine
  readonly arn: MachineArn
  readonly roleArn: string
  readonly name: string
  readonly input: string
  onStatusChange(execution: Execution): void
}

/** Creates an execution. Its first state is entered after the caller’s turn. */
export function createExecution(options: ExecutionOptions): Execution {
  const { surroundings, machine, arn, roleArn, name, input } = options
  const { clock } = surroundings
  const id = executionArn(arn, name)
  const history = createExecutionHistory(clock.now, () => surroundings.onHistoryEvent?.(id))
  const startDate = new Date(clock.now())
  /** The position at which it was last. Absent before its start, and after a success, which is not redriven. */
  let position: Position | undefined
  let variables: Flow['variables'] = {}
  let redriveCount = 0
  let status: ExecutionStatus = 'RUNNING'
  let result: Pick<ExecutionDescription, 'output' | 'error' | 'cause'> = {}
  let stopDate: Date | undefined
  let redriveDate: Date | undefined
  let controller = new AbortController()
  let quiet = Promise.resolve()

  const end = (
    how: Exclude<ExecutionStatus, 'RUNNING'>,
    previous: number,
    outcome: { output?: string; error?: string; cause?: string },
  ) => {
    if (status !== 'RUNNING') return
    status = how
    stopDate = new Date(clock.now())
    result = outcome
    if (how === 'SUCCEEDED') {
      position = undefined
      variables = {}
    }
    history.end(`Execution${EVENTS[how]}`, previous, {
      [`execution${EVENTS[how]}EventDetails`]:
        outcome.output === undefined ? outcome : { ...outcome, outputDetails: WHOLE },
    } as EventDetails)
    controller.abort(new Error(`the execution ended as ${how}`))
    options.onStatusChange(execution)
  }

  const run = async (resumed: boolean) => {
    const { signal } = controller
    const payload = { text: input, value: JSON.parse(input) as unknown }
    const flow: Flow = {
      surroundings,
      history,
      signal,
      context: {
        Execution: {
          Id: id,
          Input: payload.value,
          Name: name,
          RoleArn: roleArn,
          StartTime: startDate.toISOString(),
          RedriveCount: redriveCount,
          ...(redriveDate && { RedriveTime: redriveDate.toISOString() }),
        },
        StateMachine: { Id: arn.unqualified, Name: arn.name },
      },
      variables,
      previous: resumed ? history.count : 0,
      open: undefined,
      inner: [],
    }
    const timeout =
      machine.timeoutSeconds && clock.at(clock.now() + machine.timeoutSeconds * 1000, () => end('TIMED_OUT', 0, {}))
    const move = (next: Position) => {
      position = next
      variables = flow.variables
    }
    try {
      const output = await runMachine(
        flow,
        machine,
        position ?? { state: machine.startAt, input: payload },
        move,
        resumed,
      )
      if (!signal.aborted) end('SUCCEEDED', flow.previous, { output: output.text })
    } catch (error) {
      if (!signal.aborted) end('FAILED', flow.previous, describeError(error))
    } finally {
      if (timeout) timeout.cancel()
    }
  }

  const execution: Execution = {
    arn: id,
    machine: arn,
    input,
    events: history.events,
    takeEvents: history.take,
    get status() {
      return status
    },
    get quiet() {
      return quiet
    },
    describe: () => ({
      executionArn: id,
      stateMachineArn: arn.unqualified,
      ...(arn.version && { stateMachineVersionArn: `${arn.unqualified}:${arn.version}` }),
      name,
      status,
      startDate,
      ...(stopDate && { stopDate }),
      input,
      inputDetails: { included: true },
      ...result,
      ...(result.output !== undefined && { outputDetails: { included: true } }),
      redriveCount,
      ...(redriveDate && { redriveDate }),
      ...redrivability(status, history.count, clock.now() - (stopDate?.getTime() ?? clock.now())),
    }),
    stop: (reason) => end('ABORTED', 0, reason),
    redrive() {
      redriveCount++
      redriveDate = new Date(clock.now())
      status = 'RUNNING'
      stopDate = undefined
      result = {}
      controller = new AbortController()
      const details = { executionRedrivenEventDetails: { redriveCount } }
      history.append('ExecutionRedriven', history.count, details)
      options.onStatusChange(execution)
      quiet = quiet.then(() => run(true))
    },
  }

  const details = { input, inputDetails: WHOLE, roleArn }
  history.append('ExecutionStarted', 0, { executionStartedEventDetails: details })
  options.onStatusChange(execution)
  quiet = quiet.then(() => run(false))
  return execution
}

const EVENTS = { SUCCEEDED: 'Succeeded', FAILED: 'Failed', TIMED_OUT: 'TimedOut', ABORTED: 'Aborted' } as const

/** Describes an error. A Fail state may omit either field, and then AWS omits it too. */
function describeError(error: unknown): { error?: string; cause?: string } {
  const { name, message } = error instanceof StatesError ? error : new StatesError('States.Runtime', String(error))
  return { ...(name && { error: name }), ...(message && { cause: message }) }
}
