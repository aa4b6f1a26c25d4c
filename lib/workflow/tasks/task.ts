import type { z } from 'zod'
import type { Need } from '../environment.ts'

/** One state's work as data: lambdas run it, constructs build its function, documents describe it. */
export interface Task {
  readonly summary: string
  readonly input: z.ZodType
  /** Also the allow-list: what it does not name does not leave the task. */
  readonly output: z.ZodType
  /** Seconds after which the function is ended. */
  readonly timeout: number
  /** Megabytes; 256 unless said otherwise. */
  readonly memory?: number
  readonly needs: readonly Need[]
}
