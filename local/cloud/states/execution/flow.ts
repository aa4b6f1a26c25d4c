import type { Clock } from '../../../../lib/clock.ts'
import type { Bindings } from '../definition/expressions.ts'
import type { TaskResources } from '../tasks.ts'
import type { EventDetails, ExecutionHistory } from './history.ts'
import type { StatePayload } from './payload.ts'

export interface FlowSurroundings {
  readonly clock: Clock
  readonly random: () => number
  readonly tasks: TaskResources
  /** Called after each event of an execution’s history. @default nothing is called */
  readonly onHistoryEvent?: ((executionArn: string) => void) | undefined
}

/** One thread of an execution: the execution itself, a branch of a Parallel or an iteration of a Map. */
export interface Flow {
  readonly surroundings: FlowSurroundings
  readonly history: ExecutionHistory
  readonly signal: AbortSignal
  /** The fields of `$states.context` that are the same in every state of the flow. */
  readonly context: Readonly<Record<string, unknown>>
  /** Its variables, over those of outer flows. */
  variables: Bindings
  /** The id of the previous event. */
  previous: number
  /** The type of the current state, as long as AWS would report it aborted. */
  open: 'Task' | 'Wait' | 'Parallel' | 'Map' | undefined
  /** The flows inside the current state. */
  inner: readonly InnerFlow[]
}

export interface InnerFlow extends Flow {
  /** Its iteration of a Map; undefined for a branch. */
  readonly iteration: Iteration | undefined
}

export interface Iteration {
  readonly name: string
  readonly index: number
}

/** Writes an event and makes it the previous one of this flow. Throws the signal’s reason once the flow is aborted. */
export function emit(flow: Flow, type: string, details?: EventDetails): number {
  flow.signal.throwIfAborted()
  flow.previous = flow.history.append(type, flow.previous, details)
  return flow.previous
}

/** Writes an event that is not the previous one of the next, as AWS does at the ends of branches and iterations. */
export function note(flow: Flow, type: string, details?: EventDetails): number {
  flow.signal.throwIfAborted()
  return flow.history.append(type, flow.previous, details)
}

export interface Position {
  readonly state: string
  readonly input: StatePayload
}
