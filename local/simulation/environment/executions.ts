import type { Cloud } from '../../cloud/cloud.ts'
import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import type { Trace } from '../trace.ts'

/** Follows every execution by its history, as anybody may who watches from outside. */
export interface ExecutionsWatch {
  /** Notes what has happened since the last look. */
  look(): void
  /** Every execution that has begun, oldest first. */
  readonly all: readonly Pick<Followed, 'executionArn' | 'machine'>[]
  /** Those that ran at the last look. */
  readonly running: readonly Pick<Followed, 'executionArn' | 'machine'>[]
  /** Of all executions so far. */
  readonly historyEvents: number
  /** States entered, by all executions so far. */
  readonly transitions: number
}

interface Followed {
  readonly executionArn: string
  readonly machine: string
  /** Events of its history. */
  seen: number
}

export function watchExecutions({ stepFunctions, events }: Pick<Cloud, 'stepFunctions' | 'events'>, trace: Trace) {
  const all: Followed[] = []
  let running: Followed[] = []
  let begun: Followed[] = []
  let historyEvents = 0
  let transitions = 0

  // Asking every machine for its executions after every step would take longer than the steps.
  events.addRule({
    pattern: { source: ['aws.states'], detail: { status: ['RUNNING'] } },
    deliver(event) {
      const { executionArn, stateMachineArn } = event.detail as { executionArn: string; stateMachineArn: string }
      const known = all.find((one) => one.executionArn === executionArn) // it was redriven
      begun.push(known ?? { executionArn, machine: stateMachineArn.split('-').at(-1) ?? stateMachineArn, seen: 0 })
    },
  })

  /** Whether it runs on. */
  const follow = (one: Followed): boolean => {
    const fresh = stepFunctions.executionHistory(one).slice(one.seen)
    for (const words of fresh.flatMap(inWords)) trace.note(`${one.machine}: ${words}`)
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
    look() {
      // A child ends before its parent goes on, and begins after it.
      const before = running.reverse().filter(follow).reverse()
      const fresh = begun.filter((one) => !before.includes(one))
      begun = []
      for (const one of fresh) if (!all.includes(one)) all.push(one)
      running = [...before, ...fresh.filter(follow)]
    },
  }
  return watch
}

/** States entered, failures by their name, and the execution's own beginning and end; the rest are details of these. */
function inWords(event: HistoryEvent): string[] {
  const { type } = event
  const details = Object.entries(event).find(([field]) => field.endsWith('EventDetails'))?.[1] as
    | Readonly<Record<string, unknown>>
    | undefined
  if (type.endsWith('StateEntered')) return [`${details?.name} entered`]
  if (type.startsWith('Execution')) return [`execution ${type.replace('Execution', '').toLowerCase()}`]
  if (/(Failed|TimedOut)$/.test(type)) return [`${type} ${details?.error ?? ''}`.trimEnd()]
  return []
}
