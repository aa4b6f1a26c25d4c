import type { z } from 'zod'
import type { Capability } from './environment.ts'

/** Megabytes of a function that asks for none: enough for the SDK and a few documents. */
export const DEFAULT_MEMORY = 256

/** One state's work as data: lambdas run it, constructs build its function, documents describe it. */
export interface Task {
  readonly summary: string
  readonly input: z.ZodType
  /** Also the allow-list: what it does not name does not leave the task. */
  readonly output: z.ZodType
  /** Seconds after which the function is ended. */
  readonly timeout: number
  /** Megabytes; DEFAULT_MEMORY unless said otherwise. */
  readonly memory?: number
  readonly capabilities: readonly Capability[]
}
