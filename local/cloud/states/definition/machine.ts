import type { Template } from './expressions.ts'

/** A compiled definition, which the interpreter runs. */
export interface Machine {
  readonly startAt: string
  readonly states: ReadonlyMap<string, State>
  readonly timeoutSeconds: number | undefined
}

/** The exit of a state, choice or catcher. `next` is undefined where the (inner) machine ends. */
export interface Exit {
  readonly output: Template | undefined
  readonly assign: readonly Assignment[]
  readonly next: string | undefined
}

export interface Assignment {
  readonly variable: string
  readonly value: Template
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
  readonly error: Template | undefined
  readonly cause: Template | undefined
}

export interface ChoiceState extends Named {
  readonly type: 'Choice'
  readonly choices: readonly { readonly condition: Template; readonly exit: Exit }[]
  readonly otherwise: Exit | undefined
}

export interface WaitState extends Named {
  readonly type: 'Wait'
  readonly seconds: Template | undefined
  readonly timestamp: Template | undefined
  readonly exit: Exit
}

export interface TaskState extends Named, Handling {
  readonly type: 'Task'
  readonly resource: string
  readonly arguments: Template | undefined
  readonly timeoutSeconds: Template | undefined
  readonly exit: Exit
}

export interface ParallelState extends Named, Handling {
  readonly type: 'Parallel'
  readonly branches: readonly Machine[]
  readonly arguments: Template | undefined
  readonly exit: Exit
}

export interface MapState extends Named, Handling {
  readonly type: 'Map'
  readonly items: Template | undefined
  readonly itemSelector: Template | undefined
  readonly maxConcurrency: Template | undefined
  readonly toleratedFailureCount: Template | undefined
  readonly toleratedFailurePercentage: Template | undefined
  readonly processor: Machine
  readonly exit: Exit
}

export type State = PlainState | FailState | ChoiceState | WaitState | TaskState | ParallelState | MapState
