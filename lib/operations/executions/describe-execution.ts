import type { ExecutionHistory } from '../../aws/execution-histories.ts'
import { type ShowMachine, showMachines } from '../../tasks/show-machines.ts'
import { type VisitedState, visitedStates } from './visited-states.ts'

/** Statuses of an execution, by those of Step Functions. */
const statuses = {
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'timedOut',
  ABORTED: 'aborted',
  PENDING_REDRIVE: 'running',
} as const

/** Characters of a payload in an answer. A history of 5,000 events then fits into one answer of a function. */
const MAX_TEXT = 1_000

/** Describes an execution with the states that it has visited. */
export function describeExecution(machine: ShowMachine, { description, events }: ExecutionHistory) {
  const { name = '', status, startDate, stopDate, input, output, error, cause, executionArn = '' } = description
  const isOver = stopDate !== undefined
  const page = pageInConsole(executionArn)
  return {
    ...{ machine, name, status: statuses[status ?? 'RUNNING'] },
    startedAt: (startDate ?? new Date(0)).toISOString(),
    ...(stopDate && { stoppedAt: stopDate.toISOString() }),
    ...texts({ input, output, error, cause }),
    ...(page !== undefined && { consoleUrl: page }),
    states: visitedStates(events).map((visit) => describeVisit(visit, isOver)),
  }
}

function describeVisit(visit: VisitedState, isOver: boolean) {
  const { id, parent, name, type, iteration, enteredAt, exitedAt, attempts, childArn } = visit
  const child = childArn === undefined ? undefined : childOf(childArn)
  return {
    ...{ id, name, type, enteredAt, status: statusOf(visit, isOver) },
    ...(parent && { parent: parent.id }),
    ...(iteration !== undefined && { iteration }),
    ...(exitedAt !== undefined && { exitedAt }),
    ...texts({ input: visit.input, output: visit.output }),
    attempts: attempts.map(({ error, cause, ...times }) => ({ ...times, ...texts({ error, cause }) })),
    ...(child && { child }),
  }
}

function statusOf(visit: VisitedState, isOver: boolean) {
  const hasFailed = visit.type === 'Fail' || visit.hasFailed || visit.attempts.at(-1)?.error !== undefined
  if (visit.exitedAt !== undefined) return hasFailed ? 'caught' : 'succeeded'
  const isLeft = isOver || visit.isInterrupted || visit.parent?.exitedAt !== undefined
  if (!isLeft) return visit.type === 'Succeed' ? 'succeeded' : 'running'
  return hasFailed ? 'failed' : 'aborted'
}

/** Returns the texts that there are, each shortened. */
const texts = <Name extends string>(given: Readonly<Record<Name, string | undefined>>) =>
  Object.fromEntries(
    Object.entries<string | undefined>(given).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text]],
    ),
  ) as Partial<Record<Name, string>>

/** Returns the machine and the name of an execution of a show; undefined for another ARN. */
export function childOf(arn: string): { readonly machine: ShowMachine; readonly name: string } | undefined {
  const [, , , , , , machineName = '', name = ''] = arn.split(':')
  const machine = showMachines.find((one) => machineName === one || machineName.endsWith(`-${one}`))
  return machine && { machine, name }
}

/** Hosts of the AWS console without their first label, by partition. */
const hosts: Readonly<Record<string, string>> = {
  aws: 'aws.amazon.com',
  'aws-us-gov': 'amazonaws-us-gov.com',
  'aws-cn': 'amazonaws.cn',
}

/** Account of the local AWS, which has no console. */
const LOCAL_ACCOUNT = '000000000000'

function pageInConsole(arn: string): string | undefined {
  const [, partition = '', , region = '', account] = arn.split(':')
  const host = hosts[partition]
  if (!host || account === LOCAL_ACCOUNT) return undefined
  return `https://${region}.console.${host}/states/home?region=${region}#/v2/executions/details/${arn}`
}
