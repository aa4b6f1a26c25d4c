import type { z } from 'zod'
import type { Capability } from './environment.ts'

/** Megabytes: enough for the SDK and a few documents. */
export const DEFAULT_MEMORY = 256

/** A task of the state machines, as data: lambdas run it, constructs create its function, documents describe it. */
export interface Task {
  readonly summary: string
  readonly input: z.ZodType
  /** Also an allow-list: other fields do not leave the task. */
  readonly output: z.ZodType
  /** Seconds after which Lambda stops the function. */
  readonly timeout: number
  /** Megabytes. @default DEFAULT_MEMORY */
  readonly memory?: number
  readonly capabilities: readonly Capability[]
}
