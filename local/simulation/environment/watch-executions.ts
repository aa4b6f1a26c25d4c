import type { Cloud } from '../../cloud/cloud.ts'
import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import type { Trace } from '../trace.ts'

/** Follows every execution by its history, without changing it. */
export interface ExecutionsWatch {
  /** Traces the events since the last poll. */
  poll(): void
  /** Every started execution, oldest first. */
  readonly all: readonly Pick<Followed, 'executionArn' | 'machine'>[]
  /** Executions that ran at the last poll. */
  readonly running: readonly Pick<Followed, 'executionArn' | 'machine'>[]
  readonly historyEvents: number
  /** States entered by all executions. */
  readonly transitions: number
}

interface Followed {
  readonly executionArn: string
  readonly machine: string
  /** Number of its traced history events. */
  seen: number
}

export function watchExecutions({ stepFunctions, events }: Pick<Cloud, 'stepFunctions' | 'events'>, trace: Trace) {
  const all: Followed[] = []
  let running: Followed[] = []
  let begun: Followed[] = []
  let historyEvents = 0
  let transitions = 0

  // Listing the executions of every machine after every step would take longer than the steps.
  events.addRule({
    pattern: { source: ['aws.states'], detail: { status: ['RUNNING'] } },
    deliver(event) {
      const { executionArn, stateMachineArn } = event.detail as { executionArn: string; stateMachineArn: string }
      const known = all.find((one) => one.executionArn === executionArn) // a redriven execution
      begun.push(known ?? { executionArn, machine: stateMachineArn.split('-').at(-1) ?? stateMachineArn, seen: 0 })
    },
  })

  /** Traces new events of an execution. Returns true if it still runs. */
  const follow = (one: Followed): boolean => {
    const fresh = stepFunctions.executionHistory(one).slice(one.seen)
    for (const words of fresh.flatMap(describeEvent)) trace.note(`${one.machine}: ${words}`)
    one.seen += fresh.length
    historyEvents += fresh.length
    transitions += fresh.filter(({ type }) => type.endsWith('StateEntered')).length
    return stepFunctions.describeExecution(one).status === 'RUNNING'
  }

  const watch: ExecutionsWatch = {
    all,
    get running() {
      return running
    },
    get historyEvents() {
      return historyEvents
    },
    get transitions() {
      return transitions
    },
    poll() {
      // A child ends before its parent continues, and starts after it.
      const before = running.reverse().filter(follow).reverse()
      const fresh = begun.filter((one) => !before.includes(one))
      begun = []
      for (const one of fresh) if (!all.includes(one)) all.push(one)
      running = [...before, ...fresh.filter(follow)]
    },
  }
  return watch
}

/** Describes entered states, failures, and the start and end of an execution. Other events are details of these. */
function describeEvent(event: HistoryEvent): string[] {
  const { type } = event
  const details = Object.entries(event).find(([field]) => field.endsWith('EventDetails'))?.[1] as
    | Readonly<Record<string, unknown>>
    | undefined
  if (type.endsWith('StateEntered')) return [`${details?.name} entered`]
  if (type.startsWith('Execution')) return [`execution ${type.replace('Execution', '').toLowerCase()}`]
  if (/(Failed|TimedOut)$/.test(type)) return [`${type} ${details?.error ?? ''}`.trimEnd()]
  return []
}
