import type { Assembly } from '../cloud/assembly.ts'
import { ACCOUNT, REGION } from '../cloud/intrinsics.ts'
import type { HistoryEvent } from '../cloud/states/history.ts'
import type { StepFunctions } from '../cloud/states/operations.ts'
import type { Trace } from './trace.ts'

/** Follows every execution by its history, as anybody may who watches from outside. */
export interface ExecutionsWatch {
  /** Notes what has happened since the last look. */
  look(): void
  /** Of all executions so far. */
  readonly historyEvents: number
  /** States entered, by all executions so far. */
  readonly transitions: number
}

interface Followed {
  readonly executionArn: string
  readonly machine: string
  seen: number
  over: boolean
}

export function watchExecutions(stepFunctions: StepFunctions, assembly: Assembly, trace: Trace): ExecutionsWatch {
  const followed = new Map<string, Followed>()
  let historyEvents = 0
  let transitions = 0

  const machines = Object.values(assembly.template.Resources)
    .filter(({ Type: type }) => type === 'AWS::StepFunctions::StateMachine')
    .map(({ Properties: properties }) => String(properties?.StateMachineName))

  const findNew = () => {
    for (const name of machines) {
      const stateMachineArn = `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`
      for (const { executionArn } of stepFunctions.listExecutions({ stateMachineArn })) {
        const machine = name.split('-').at(-1) ?? name
        if (!followed.has(executionArn)) followed.set(executionArn, { executionArn, machine, seen: 0, over: false })
      }
    }
  }
  const follow = (one: Followed) => {
    if (one.over) return
    const events = stepFunctions.executionHistory(one).slice(one.seen)
    for (const words of events.flatMap(inWords)) trace.note(`${one.machine}: ${words}`)
    one.seen += events.length
    historyEvents += events.length
    transitions += events.filter(({ type }) => type.endsWith('StateEntered')).length
    one.over = stepFunctions.describeExecution(one).status !== 'RUNNING'
  }

  return {
    get historyEvents() {
      return historyEvents
    },
    get transitions() {
      return transitions
    },
    look() {
      // A child ends before its parent goes on, and begins after it.
      for (const one of [...followed.values()].reverse()) follow(one)
      const known = followed.size
      findNew()
      for (const one of [...followed.values()].slice(known)) follow(one)
    },
  }
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
