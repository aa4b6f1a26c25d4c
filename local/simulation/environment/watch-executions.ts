import type { Cloud } from '../../cloud/cloud.ts'
import type { ExecutionDescription } from '../../cloud/states/execution/execution-description.ts'
import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import { type CoverageCounter, detailsOf } from '../coverage/count-coverage.ts'
import type { Trace } from '../trace.ts'

/** Follows every execution by its history, without changing it. */
export interface ExecutionsWatch {
  /** Notes that an execution’s history has grown. Only such executions are polled: many run at once. */
  note(executionArn: string): void
  /** Traces the events since the last poll. */
  poll(): void
  /** Every started execution, oldest first. */
  readonly all: readonly FollowedExecution[]
  /** Executions that ran at the last poll. */
  readonly running: readonly FollowedExecution[]
  readonly runningCount: number
  readonly historyEvents: number
  /** States entered by all executions. */
  readonly transitions: number
}

export type FollowedExecution = Pick<Followed, 'executionArn' | 'machine'>

/** Receives executions as they go, and frees what was received. */
export interface ExecutionsReader {
  onEvents(execution: FollowedExecution, events: readonly HistoryEvent[]): void
  onEnd(execution: ExecutionDescription, machine: string): void
}

interface Followed {
  readonly executionArn: string
  readonly machine: string
  /** Number of its traced history events. */
  seen: number
}

/**
 * @param reader receives histories, which are then no longer kept. @default none
 * @param coverage counts the states that are entered. @default none
 */
export function watchExecutions(
  { stepFunctions }: Pick<Cloud, 'stepFunctions'>,
  trace: Trace,
  { reader, coverage }: { reader?: ExecutionsReader | undefined; coverage?: CoverageCounter | undefined } = {},
): ExecutionsWatch {
  const all = new Map<string, Followed>()
  /** Running executions with their positions, in the order of their starts. */
  const running = new Map<Followed, number>()
  const changed = new Set<string>()
  let positions = 0
  let historyEvents = 0
  let transitions = 0

  /** Traces new events of an execution. Returns true if it still runs. */
  const follow = (one: Followed): boolean => {
    const fresh = reader ? stepFunctions.takeHistory(one) : stepFunctions.executionHistory(one).slice(one.seen)
    for (const event of fresh) {
      const words = describeEvent(event)
      if (words !== undefined) trace.note(`${one.machine}: ${words}`)
    }
    one.seen += fresh.length
    historyEvents += fresh.length
    transitions += fresh.filter(({ type }) => type.endsWith('StateEntered')).length
    coverage?.read(one, fresh)
    reader?.onEvents(one, fresh)
    if (stepFunctions.isRunning(one)) return true
    reader?.onEnd(stepFunctions.describeExecution(one), one.machine)
    if (reader) all.delete(one.executionArn)
    return false
  }
  const find = (executionArn: string): Followed => {
    const [machineName = ''] = executionArn.split(':').slice(6)
    const machine = machineName.split('-').at(-1) ?? machineName
    const one = all.get(executionArn) ?? { executionArn, machine, seen: 0 }
    all.set(executionArn, one)
    return one
  }

  return {
    note: (executionArn) => void changed.add(executionArn),
    get all() {
      return [...all.values()]
    },
    get running() {
      return [...running.keys()]
    },
    get runningCount() {
      return running.size
    },
    get historyEvents() {
      return historyEvents
    },
    get transitions() {
      return transitions
    },
    poll() {
      if (changed.size === 0) return
      const grown = [...changed].map(find)
      changed.clear()
      const position = (one: Followed) => running.get(one) ?? 0
      // A child ends before its parent continues, and starts after it.
      const before = grown.filter((one) => running.has(one)).sort((one, other) => position(other) - position(one))
      const fresh = grown.filter((one) => !running.has(one)) // also a redriven execution
      for (const one of before) if (!follow(one)) running.delete(one)
      for (const one of fresh) if (follow(one)) running.set(one, positions++)
    },
  }
}

/** Describes an entered state, a failure, or the start or end of an execution. Other events are details of these. */
function describeEvent(event: HistoryEvent): string | undefined {
  const { type } = event
  if (type.endsWith('StateEntered')) return `${detailsOf(event)?.name} entered`
  if (type.startsWith('Execution')) return `execution ${type.replace('Execution', '').toLowerCase()}`
  if (/(Failed|TimedOut)$/.test(type)) return `${type} ${detailsOf(event)?.error ?? ''}`.trimEnd()
  return undefined
}
