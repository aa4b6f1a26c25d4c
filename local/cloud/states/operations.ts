import type { Clock } from '../../../lib/clock.ts'
import { AwsError } from '../endpoint/aws-json.ts'
import { parseMachineArn } from './arns.ts'
import { compileDefinition } from './definition/definition.ts'
import { DefinitionError } from './definition/errors.ts'
import type { ExecutionDescription, ExecutionStatus } from './execution/execution-description.ts'
import { createExecutionStore, type StartRequest } from './execution/executions.ts'
import { type ExecutionStatusChange, toStatusChange } from './status-change.ts'
import { type ChildResult, createTaskResources, type TaskOptions } from './tasks.ts'

export interface AddedMachine {
  /** ARN with or without a version. Each is started by its own ARN only. */
  readonly arn: string
  readonly name: string
  /** Definition in Amazon States Language, parsed or as text. */
  readonly definition: unknown
  /** Role in the context object and DescribeStateMachine. It is not evaluated. */
  readonly roleArn?: string
}

export interface StepFunctionsOptions {
  readonly clock: Clock
  /** Returns a number in [0, 1) for jitter, `$random`, `$uuid` and generated names. */
  readonly random: () => number
  readonly region: string
  readonly account: string
  /**
   * Runs a Lambda function. Rejects with an error whose name and message are errorType and errorMessage. Must settle
   * soon after the signal aborts, since `close` awaits it.
   */
  invoke(functionArn: string, payload: unknown, signal: AbortSignal): Promise<unknown>
  /** Called before a task starts an execution of a machine. An AwsError that it throws refuses the start. @default nothing is called */
  readonly beforeChild?: ((stateMachineArn: string) => void) | undefined
  /** EventBridge’s PutEvents. Without it `events:putEvents` is refused. */
  putEvents?: TaskOptions['putEvents']
  /** Number of finished executions that are kept. @default 1,000 */
  readonly maxFinished?: number | undefined
  /** Called after each event of an execution’s history. @default nothing is called */
  readonly onHistoryEvent?: ((executionArn: string) => void) | undefined
  /**
   * Called with every change, as the detail of AWS’s "Step Functions Execution Status Change" event. Must not throw.
   */
  onStatusChange?(detail: ExecutionStatusChange): void
}

export type StatesOperations = ReturnType<typeof createOperations>

/** Creates the operations of Step Functions. They throw an AwsError with AWS’s code. */
export function createOperations(options: StepFunctionsOptions) {
  const { clock, random, region, account } = options
  const machines = new Map<string, ReturnType<typeof toMachine>>()
  const outstanding = new Set<Promise<unknown>>()

  const invoke: TaskOptions['invoke'] = (...call) => {
    const invocation = new Promise((resolve) => resolve(options.invoke(...call)))
    const settled = invocation.catch(() => undefined).finally(() => outstanding.delete(settled))
    outstanding.add(settled)
    return invocation
  }
  const startChild: TaskOptions['startChild'] = (request) => {
    options.beforeChild?.(request.stateMachineArn)
    const child = executions.start(request)
    const { startDate } = child.describe()
    const ended = child.quiet.then(() => toChildResult(child.describe()))
    return { executionArn: child.arn, startDate, ended, stop: () => child.stop({}) }
  }
  const putEvents = options.putEvents && { putEvents: options.putEvents }
  const tasks = createTaskResources({ now: clock.now, region, account, invoke, startChild, ...putEvents })
  const findMachine = (arn: ReturnType<typeof parseMachineArn>) => {
    const text = [arn.unqualified, arn.version].filter(Boolean).join(':')
    const found = machines.get(text)
    if (found) return found
    throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${text}'`)
  }
  const executions = createExecutionStore({
    surroundings: { clock, random, tasks, onHistoryEvent: options.onHistoryEvent },
    findMachine,
    maxFinished: options.maxFinished,
    onStatusChange: (execution) => options.onStatusChange?.(toStatusChange(execution.describe())),
  })

  const toMachine = ({ arn, name, definition, roleArn = `arn:aws:iam::${account}:role/${name}` }: AddedMachine) => {
    const parsed = parseMachineArn(arn)
    if (parsed.name !== name) throw new DefinitionError(`the machine '${name}' has another name in its ARN: '${arn}'`)
    const machine = compile(name, definition, { now: clock.now, random, checkTask: tasks.check })
    const description = {
      stateMachineArn: arn,
      name,
      status: 'ACTIVE' as const,
      definition: typeof definition === 'string' ? definition : JSON.stringify(definition),
      roleArn,
      type: 'STANDARD' as const,
      creationDate: new Date(clock.now()),
    }
    return { arn: parsed, machine, roleArn, description }
  }

  return {
    /** Adds or replaces all machines or none. Running executions keep their definition. @throws DefinitionError */
    addMachine(...added: readonly AddedMachine[]): void {
      const made = added.map(toMachine)
      for (const one of made) machines.set(one.description.stateMachineArn, one)
    },
    startExecution(request: StartRequest): { executionArn: string; startDate: Date } {
      const execution = executions.start(request)
      return { executionArn: execution.arn, startDate: execution.describe().startDate }
    },
    stopExecution({ executionArn, ...reason }: { executionArn: string; error?: string; cause?: string }) {
      const execution = executions.find(executionArn)
      execution.stop(reason)
      return { stopDate: execution.describe().stopDate as Date }
    },
    isRunning: ({ executionArn }: { executionArn: string }) => executions.find(executionArn).status === 'RUNNING',
    describeExecution: ({ executionArn }: { executionArn: string }) => executions.find(executionArn).describe(),
    /** Returns the history itself, which grows while the execution runs. */
    executionHistory: ({ executionArn }: { executionArn: string }) => executions.find(executionArn).events,
    /**
     * Removes the events so far from a history, and returns them: thousands of running executions would fill the memory.
     * Ids, limits and redrives count them further.
     */
    takeHistory: ({ executionArn }: { executionArn: string }) => executions.find(executionArn).takeEvents(),
    /** Forgets an execution if it is kept and has finished, as AWS does after 90 days. */
    forget: ({ executionArn }: { executionArn: string }) => executions.forget(executionArn),
    /** Lists executions, newest first. */
    listExecutions({ stateMachineArn, statusFilter }: ListRequest): ExecutionDescription[] {
      const arn = parseMachineArn(stateMachineArn)
      findMachine(arn)
      return executions.list(arn, statusFilter).map((execution) => execution.describe())
    },
    /**
     * Resumes a FAILED, TIMED_OUT or ABORTED execution from the state in which it ended, with that state’s input and
     * variables. AWS reruns only what failed in a Parallel or Map; here the outermost such state is rerun.
     */
    redriveExecution: ({ executionArn, clientToken }: { executionArn: string; clientToken?: string }) => ({
      redriveDate: executions.redrive(executionArn, clientToken).describe().redriveDate as Date,
    }),
    describeStateMachine({ stateMachineArn }: { stateMachineArn: string }) {
      const { description } = findMachine(parseMachineArn(stateMachineArn))
      return { ...description, stateMachineArn }
    },
    /** Aborts running executions. Resolves when nothing runs any more. */
    async close(): Promise<void> {
      await executions.close()
      await Promise.all(outstanding)
    },
  }
}

interface ListRequest {
  readonly stateMachineArn: string
  readonly statusFilter?: ExecutionStatus | 'PENDING_REDRIVE'
}

function compile(name: string, ...args: Parameters<typeof compileDefinition>) {
  try {
    return compileDefinition(...args)
  } catch (error) {
    if (error instanceof DefinitionError) throw new DefinitionError(`State machine '${name}', ${error.message}.`)
    throw error
  }
}

/**
 * Returns a child’s result for its parent: capitalized names, dates in milliseconds, Input and Output as JSON values.
 */
function toChildResult(description: ExecutionDescription): ChildResult {
  const { executionArn, stateMachineArn, stateMachineVersionArn, name, status, startDate, stopDate } = description
  const { input, output, error, cause, redriveCount, redriveDate, redriveStatus, redriveStatusReason } = description
  return {
    ExecutionArn: executionArn,
    Input: JSON.parse(input),
    InputDetails: { Included: true },
    Name: name,
    ...(output !== undefined && { Output: JSON.parse(output), OutputDetails: { Included: true } }),
    RedriveCount: redriveCount,
    ...(redriveDate && { RedriveDate: redriveDate.getTime() }),
    RedriveStatus: redriveStatus,
    ...(redriveStatusReason !== undefined && { RedriveStatusReason: redriveStatusReason }),
    StartDate: startDate.getTime(),
    StateMachineArn: stateMachineArn,
    ...(stateMachineVersionArn && { StateMachineVersionArn: stateMachineVersionArn }),
    Status: status,
    ...(stopDate && { StopDate: stopDate.getTime() }),
    ...(error !== undefined && { Error: error }),
    ...(cause !== undefined && { Cause: cause }),
  }
}
