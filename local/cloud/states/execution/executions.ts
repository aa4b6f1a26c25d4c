import { AwsError } from '../../endpoint/aws-json.ts'
import { executionArn, type MachineArn, parseExecutionArn, parseMachineArn } from '../arns.ts'
import { exceedsPayload, FINISHED_EXECUTIONS } from '../definition/limits.ts'
import type { Machine } from '../definition/machine.ts'
import { uuid } from '../definition/query-functions.ts'
import { createExecution, type Execution, type ExecutionOptions } from './execution.ts'
import type { ExecutionStatus } from './execution-description.ts'
import type { FlowSurroundings } from './flow.ts'

/** A machine as it was added, with its parsed definition. */
export interface RegisteredMachine {
  readonly arn: MachineArn
  readonly machine: Machine
  readonly roleArn: string
}

export type ExecutionStore = ReturnType<typeof createExecutionStore>

export interface StartRequest {
  readonly stateMachineArn: string
  readonly name?: string
  /** JSON. @default '{}' */
  readonly input?: string
}

export interface ExecutionsOptions {
  readonly surroundings: FlowSurroundings
  /** @throws AwsError StateMachineDoesNotExist */
  findMachine(arn: MachineArn): RegisteredMachine
  onStatusChange: ExecutionOptions['onStatusChange']
  /** Number of finished executions that are kept. @default 1,000 */
  readonly maxFinished?: number | undefined
}

/** Keeps executions in memory: all running ones, and the newest finished ones. */
export function createExecutionStore(options: ExecutionsOptions) {
  const { surroundings, findMachine, onStatusChange, maxFinished = FINISHED_EXECUTIONS } = options
  const byArn = new Map<string, Execution>()
  const finished = new Set<Execution>()
  const redriveTokens = new Map<Execution, string>()
  let isClosed = false

  /** Forgets an execution if it is kept and has finished. */
  const forget = (arn: string) => {
    const execution = byArn.get(arn)
    if (!execution || !finished.delete(execution)) return
    redriveTokens.delete(execution)
    byArn.delete(arn)
  }
  const forgetOldest = () => {
    for (const oldest of finished) {
      if (finished.size <= maxFinished) return
      forget(oldest.arn)
    }
  }
  /** @throws AwsError InvalidArn, ExecutionDoesNotExist */
  const find = (arn: unknown): Execution => {
    const execution = byArn.get(parseExecutionArn(arn))
    if (!execution) throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
    return execution
  }

  return {
    find,
    forget,
    /**
     * Starts an execution.
     * @throws AwsError InvalidArn, InvalidName, InvalidExecutionInput, StateMachineDoesNotExist,
     * ExecutionAlreadyExists
     */
    start({ stateMachineArn, name, input = '{}' }: StartRequest): Execution {
      if (isClosed) throw new AwsError('ServiceUnavailable', 'Step Functions is closing.')
      const arn = parseMachineArn(stateMachineArn)
      if (name !== undefined) checkName(name)
      checkInput(input)
      const { machine, roleArn, arn: registered } = findMachine(arn)
      const chosen = name ?? uuid(surroundings.random)
      const existing = byArn.get(executionArn(arn, chosen))
      if (existing) {
        if (existing.status === 'RUNNING' && existing.input === input && existing.machine.version === arn.version)
          return existing
        throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${existing.arn}'`)
      }
      const execution = createExecution({
        surroundings,
        machine,
        roleArn,
        arn: arn.version ? arn : { ...registered, version: undefined },
        name: chosen,
        input,
        onStatusChange(changed) {
          if (changed.status === 'RUNNING') finished.delete(changed)
          else finished.add(changed)
          forgetOldest()
          onStatusChange(changed)
        },
      })
      byArn.set(execution.arn, execution)
      return execution
    },
    /** @throws AwsError ExecutionNotRedrivable */
    redrive(arn: unknown, clientToken?: string): Execution {
      const execution = find(arn)
      if (clientToken !== undefined && redriveTokens.get(execution) === clientToken) return execution
      if (isClosed) throw new AwsError('ServiceUnavailable', 'Step Functions is closing.')
      const { redriveStatus, redriveStatusReason } = execution.describe()
      if (redriveStatus !== 'REDRIVABLE')
        throw new AwsError('ExecutionNotRedrivable', `Execution is not redrivable: '${arn}'. ${redriveStatusReason}`)
      if (clientToken !== undefined) redriveTokens.set(execution, clientToken)
      execution.redrive()
      return execution
    },
    /** Lists executions, newest first. A versioned ARN selects those of that version. */
    list: (machine: MachineArn, status?: ExecutionStatus | 'PENDING_REDRIVE') =>
      [...byArn.values()]
        .filter((execution) => execution.machine.unqualified === machine.unqualified)
        .filter((execution) => machine.version === undefined || execution.machine.version === machine.version)
        .filter((execution) => status === undefined || execution.status === status)
        .reverse(),
    /** Aborts running executions and refuses new ones. Resolves when nothing runs any more. */
    async close(): Promise<void> {
      isClosed = true
      const executions = [...byArn.values()]
      for (const execution of executions) execution.stop({})
      await Promise.all(executions.map((execution) => execution.quiet))
    },
  }
}

/** Source: StartExecution, "name": 1 to 80 characters, none of them white space, a bracket, a wildcard or special. */
const FORBIDDEN_IN_NAME = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}\p{Cs}\uFFFE\uFFFF]/u

function checkName(name: string): void {
  if (name.length >= 1 && name.length <= 80 && !FORBIDDEN_IN_NAME.test(name)) return
  throw new AwsError('InvalidName', `Invalid Name: '${name}'`)
}

function checkInput(input: string): void {
  const complain = (problem: string) =>
    new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${problem}'`)
  if (exceedsPayload(input)) throw complain('it is larger than 262144 bytes')
  try {
    JSON.parse(input)
  } catch (error) {
    throw complain((error as Error).message)
  }
}
