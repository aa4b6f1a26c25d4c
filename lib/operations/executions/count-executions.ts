import type { ExecutionHistory, HistoryMachine } from '../../aws/execution-histories.ts'
import type { Services } from '../../services.ts'
import { allSettledLimited } from '../../show/run/concurrency.ts'
import { taskOfState } from '../../tasks/state-tasks.ts'
import type { TaskName } from '../../tasks/tasks.ts'
import { childOf } from './describe-execution.ts'
import { visitedStates } from './visited-states.ts'

/** An execution by its name. */
export interface NamedExecution {
  readonly machine: HistoryMachine
  readonly name: string
}

/** Invocations of a task's function by executions of one machine. */
export interface CountedTask {
  readonly machine: HistoryMachine
  readonly task: TaskName
  readonly invocations: number
  /** Seconds in the history, which include the start of the function. An invocation that runs has none yet. */
  readonly seconds: number
}

/** Usage of executions, as their histories have it. */
export interface CountedExecutions {
  /** States entered, and each retry as another. */
  readonly transitions: number
  readonly tasks: readonly CountedTask[]
  /** Number of executions without a history. */
  readonly missing: number
}

/** Counts executions with all their children, each once. */
export async function countExecutions(
  { executionHistories }: Pick<Services, 'executionHistories'>,
  executions: readonly NamedExecution[],
): Promise<CountedExecutions> {
  const counted: Counted[] = []
  const known = new Set<string>()
  let missing = 0
  for (let level = executions; level.length > 0; ) {
    // A publish is named once for each of its publications.
    const byKey = new Map(level.map((one) => [keyOf(one), one]))
    const fresh = [...byKey].flatMap(([key, one]) => (known.has(key) ? [] : one))
    for (const key of byKey.keys()) known.add(key)
    const reads = fresh.map(({ machine, name }) => async () => {
      const history = await executionHistories.read(machine, name)
      return history && count(machine, history)
    })
    const found = (await allSettledLimited(reads)).map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
    missing += found.filter((one) => one === undefined).length
    counted.push(...found.filter((one) => one !== undefined))
    level = found.flatMap((one) => one?.children ?? [])
  }
  return {
    transitions: counted.reduce((sum, { transitions }) => sum + transitions, 0),
    tasks: counted.flatMap(({ tasks }) => tasks),
    missing,
  }
}

interface Counted {
  readonly transitions: number
  readonly tasks: readonly CountedTask[]
  readonly children: readonly NamedExecution[]
}

const keyOf = ({ machine, name }: NamedExecution) => `${machine}:${name}`

function count(machine: HistoryMachine, { events }: ExecutionHistory): Counted {
  const visits = visitedStates(events)
  const tasks = visits.flatMap(({ name, attempts }): CountedTask[] => {
    const task = taskOfState(name)
    const seconds = attempts.reduce((sum, { startedAt, endedAt }) => sum + secondsBetween(startedAt, endedAt), 0)
    return task ? [{ machine, task, invocations: attempts.length, seconds }] : []
  })
  return {
    transitions: visits.reduce((sum, { attempts }) => sum + Math.max(1, attempts.length), 0),
    tasks,
    children: visits.flatMap(({ childArn }) => (childArn ? (childOf(childArn) ?? []) : [])),
  }
}

const secondsBetween = (from: string, to: string | undefined) =>
  to === undefined ? 0 : (Date.parse(to) - Date.parse(from)) / 1000
