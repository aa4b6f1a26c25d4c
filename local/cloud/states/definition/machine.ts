import type { ValueTemplate } from './expressions.ts'

/** A compiled definition, which the interpreter runs. */
export interface Machine {
  readonly startAt: string
  readonly states: ReadonlyMap<string, State>
  readonly timeoutSeconds: number | undefined
}

/** The exit of a state, choice or catcher. `next` is undefined where the (inner) machine ends. */
export interface Exit {
  readonly output: ValueTemplate | undefined
  readonly assign: readonly Assignment[]
  readonly next: string | undefined
}

export interface Assignment {
  readonly variable: string
  readonly value: ValueTemplate
}

export interface Retrier {
  readonly errors: readonly string[]
  readonly intervalSeconds: number
  readonly backoffRate: number
  readonly maxAttempts: number
  readonly maxDelaySeconds: number
  readonly isJittered: boolean
}

export interface Catcher {
  readonly errors: readonly string[]
  readonly exit: Exit
}

interface Named {
  readonly name: string
}

interface Handling {
  readonly retry: readonly Retrier[]
  readonly catch: readonly Catcher[]
}

export interface PlainState extends Named {
  readonly type: 'Pass' | 'Succeed'
  readonly exit: Exit
}

export interface FailState extends Named {
  readonly type: 'Fail'
  readonly error: ValueTemplate | undefined
  readonly cause: ValueTemplate | undefined
}

export interface ChoiceState extends Named {
  readonly type: 'Choice'
  readonly choices: readonly { readonly condition: ValueTemplate; readonly exit: Exit }[]
  readonly otherwise: Exit | undefined
}

export interface WaitState extends Named {
  readonly type: 'Wait'
  readonly seconds: ValueTemplate | undefined
  readonly timestamp: ValueTemplate | undefined
  readonly exit: Exit
}

export interface TaskState extends Named, Handling {
  readonly type: 'Task'
  readonly resource: string
  readonly arguments: ValueTemplate | undefined
  readonly timeoutSeconds: ValueTemplate | undefined
  readonly exit: Exit
}

export interface ParallelState extends Named, Handling {
  readonly type: 'Parallel'
  readonly branches: readonly Machine[]
  readonly arguments: ValueTemplate | undefined
  readonly exit: Exit
}

export interface MapState extends Named, Handling {
  readonly type: 'Map'
  readonly items: ValueTemplate | undefined
  readonly itemSelector: ValueTemplate | undefined
  readonly maxConcurrency: ValueTemplate | undefined
  readonly toleratedFailureCount: ValueTemplate | undefined
  readonly toleratedFailurePercentage: ValueTemplate | undefined
  readonly processor: Machine
  readonly exit: Exit
}

export type State = PlainState | FailState | ChoiceState | WaitState | TaskState | ParallelState | MapState
