import type { Clock } from '../../../../lib/clock.ts'
import type { Bindings } from '../definition/expressions.ts'
import type { Tasks } from '../tasks.ts'
import type { EventDetails, History } from './history.ts'
import type { Payload } from './payload.ts'

/** What the interpreter reaches outside itself. */
export interface Surroundings {
  readonly clock: Clock
  readonly random: () => number
  readonly tasks: Tasks
}

/** One thread of an execution: the execution itself, a branch of a Parallel or an iteration of a Map. */
export interface Flow {
  readonly surroundings: Surroundings
  readonly history: History
  readonly signal: AbortSignal
  /** The parts of `$states.context` that hold for every state of the flow. */
  readonly context: Readonly<Record<string, unknown>>
  /** Its own variables over those it can read outside. */
  variables: Bindings
  /** The id that the next event names as the one before it. */
  previous: number
  /** The type of the state it is in, as long as AWS would report that state aborted. */
  open: 'Task' | 'Wait' | 'Parallel' | 'Map' | undefined
  /** The flows inside the state it is in. */
  inner: readonly InnerFlow[]
}

export interface InnerFlow extends Flow {
  /** Which iteration of which Map it is; undefined for a branch. */
  readonly iteration: Iteration | undefined
}

export interface Iteration {
  readonly name: string
  readonly index: number
}

/** Writes an event that the next one of this flow follows. Throws the signal's reason once the flow is aborted. */
export function emit(flow: Flow, type: string, details?: EventDetails): number {
  flow.signal.throwIfAborted()
  flow.previous = flow.history.append(type, flow.previous, details)
  return flow.previous
}

/** Writes an event that the next one of this flow does not follow, as AWS does with the ends of branches and iterations. */
export function note(flow: Flow, type: string, details?: EventDetails): number {
  flow.signal.throwIfAborted()
  return flow.history.append(type, flow.previous, details)
}

/** Where an execution stands: a state about to be run, with its input. */
export interface Position {
  readonly state: string
  readonly input: Payload
}
