import type { Bindings } from '../definition/expressions.ts'
import type { Exit, State } from '../definition/machine.ts'
import type { Flow } from './flow.ts'
import type { StatePayload } from './payload.ts'

export interface StateVisit<S extends State = State> {
  readonly flow: Flow
  readonly state: S
  readonly input: StatePayload
  /** Id of the flow’s last event before the state was entered. */
  readonly before: number
  readonly entered: number
  readonly enteredTime: string
  retryCount: number
}

export interface VisitOutcome {
  readonly exit: Exit
  /** The output if the exit has no Output. */
  readonly output: StatePayload
  /** Members of `$states` besides input and context. */
  readonly states?: { readonly result: unknown } | { readonly errorOutput: unknown }
}

/** Returns the bindings of a state’s expressions. `context` extends the context object, as a Map does for its items. */
export function bindingsOf(visit: StateVisit, states?: VisitOutcome['states'], context?: object): Bindings {
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

/** Prefixes a problem with the state and its entering event, as AWS words a cause. */
export const locate = ({ state, entered }: StateVisit, problem: string): string =>
  `An error occurred while executing the state '${state.name}' (entered at the event id #${entered}). ${problem}`
