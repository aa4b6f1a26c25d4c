import type { Bindings } from '../definition/expressions.ts'
import type { Exit, State } from '../definition/machine.ts'
import type { Flow } from './flow.ts'
import type { Payload } from './payload.ts'

/** One stay of a flow in a state, over all its attempts. */
export interface Visit<S extends State = State> {
  readonly flow: Flow
  readonly state: S
  readonly input: Payload
  /** The flow's last event before the state was entered. */
  readonly before: number
  /** The id of the event that says so. */
  readonly entered: number
  readonly enteredTime: string
  /** How often the state was retried. */
  retryCount: number
}

/** How a state came to its end. */
export interface Outcome {
  readonly exit: Exit
  /** What the state puts out when the exit has no Output. */
  readonly output: Payload
  /** What `$states` holds beyond input and context. */
  readonly states?: { readonly result: unknown } | { readonly errorOutput: unknown }
}

/** What an expression of the visit's state can see; `context` adds to the context object, as a Map does for its items. */
export function bindingsOf(visit: Visit, states?: Outcome['states'], context?: object): Bindings {
  const { flow, state, input, enteredTime: EnteredTime, retryCount } = visit
  // Source: executions recorded on AWS, in which the context of other states has no RetryCount.
  const own = { EnteredTime, Name: state.name, ...(state.type === 'Task' && { RetryCount: retryCount }) }
  return {
    ...flow.variables,
    states: {
      input: input.value,
      context: { ...flow.context, State: own, ...context },
      ...states,
    },
  }
}

/** Prefixes a problem with the state and the event that entered it, as AWS words a cause. */
export const locate = ({ state, entered }: Visit, problem: string): string =>
  `An error occurred while executing the state '${state.name}' (entered at the event id #${entered}). ${problem}`
