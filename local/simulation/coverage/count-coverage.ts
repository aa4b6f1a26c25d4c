import type { HistoryEvent } from '../../cloud/states/execution/history.ts'
import type { CallSite } from '../faults/fault.ts'
import { type Coverage, siteOf, strikeOf } from './coverage.ts'
import { publishingPlaceOf } from './publishing-functions.ts'

/** Counts the places that one simulation reaches. */
export type CoverageCounter = ReturnType<typeof createCoverageCounter>

type Place = Pick<CallSite, 'caller' | 'operation'>

interface Execution {
  readonly executionArn: string
  readonly machine: string
}

/** An earlier event of a history. */
interface Earlier {
  readonly type: string
  /** The state in which it happened. */
  readonly state: string
  readonly error?: string
}

/** States of a show without an execution. */
const BEFORE = 'before the show'
const AFTER = 'after the show'

/** Events that name a state. Others happen in the state of the event before them. */
const STATE = /State(Entered|Exited)$/
const FAILURE = /(Failed|TimedOut)$/
/** Events after which a branch or an iteration begins. */
const BRANCHING: ReadonlySet<string> = new Set(['MapIterationStarted', 'ParallelStateStarted'])

export function createCoverageCounter() {
  const states = createCounts()
  const retries = createCounts()
  const catches = createCounts()
  const errors = createCounts()
  const calls = createCounts()
  const strikes = createCounts()
  const ordered = createCounts()
  const histories = new Map<string, Map<number, Earlier>>()
  /** States inside a Map or a Parallel. */
  const inner = new Set<string>()
  let state: string = BEFORE

  const enter = (machine: string, name: string, previous: Earlier | undefined) => {
    states.add(`${machine}: ${name}`)
    if (machine !== 'show') return
    if (previous && (BRANCHING.has(previous.type) || inner.has(previous.state))) inner.add(name)
    if (!inner.has(name)) state = name
  }
  const read = (machine: string, history: Map<number, Earlier>, event: HistoryEvent) => {
    const { type } = event
    const previous = history.get(event.previousEventId)
    const details = detailsOf(event)
    const name = STATE.test(type) ? String(details?.name) : (previous?.state ?? '')
    const error = FAILURE.test(type) ? String(details?.error ?? type) : undefined
    history.set(event.id, { type, state: name, ...(error !== undefined && { error }) })
    if (type.endsWith('StateEntered')) enter(machine, name, previous)
    if (error !== undefined) errors.add(`${machine}: ${error}`)
    if (previous?.error === undefined) return
    const failure = `${machine}: ${name} after ${previous.error}`
    if (type.endsWith('Scheduled') || type.endsWith('Started')) retries.add(failure)
    if (type.endsWith('StateExited')) catches.add(failure)
  }

  return {
    /** Reads new events of an execution, in order. */
    read({ executionArn, machine }: Execution, events: readonly HistoryEvent[]): void {
      const history = histories.get(executionArn) ?? new Map<number, Earlier>()
      histories.set(executionArn, history)
      for (const event of events) read(machine, history, event)
      if (!events.some(({ type }) => ENDED.has(type))) return
      histories.delete(executionArn)
      if (machine === 'show') state = AFTER
    },
    /** The state of the show: the one that its execution entered last, outside of maps and branches. */
    get state(): string {
      return state
    },
    /** Returns the site of a call: its operation, with the function of publishing that makes it, or the state of the show. */
    siteOf: (call: Place): string => siteOf(call.operation, publishingPlaceOf(call) ?? state),
    call: (site: string): void => calls.add(site),
    strike: (kind: string, site: string): void => strikes.add(strikeOf(kind, site)),
    order: (kind: string, site: string): void => ordered.add(strikeOf(kind, site)),
    taken: (): Coverage => ({
      states: states.all(),
      retries: retries.all(),
      catches: catches.all(),
      errors: errors.all(),
      calls: calls.all(),
      reach: Object.fromEntries(Object.keys(calls.all()).map((site) => [site, 1])),
      strikes: strikes.all(),
      ordered: ordered.all(),
    }),
  }
}

const ENDED: ReadonlySet<string> = new Set([
  'ExecutionSucceeded',
  'ExecutionFailed',
  'ExecutionTimedOut',
  'ExecutionAborted',
])

function createCounts() {
  const counts = new Map<string, number>()
  return {
    add: (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1),
    all: () => Object.fromEntries(counts),
  }
}

/** Returns the details of an event of a history. */
export function detailsOf(event: HistoryEvent): Readonly<Record<string, unknown>> | undefined {
  for (const field in event) if (field.endsWith('EventDetails')) return event[field as `${string}EventDetails`]
  return undefined
}
