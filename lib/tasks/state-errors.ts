import { z } from 'zod'
import { THROTTLED } from './retries.ts'

/** What Step Functions hands to a Catch: an error's name, and the function's JSON or a service's words as its cause. */
export const stateError = z.object({ Error: z.string(), Cause: z.string().optional() })
export type StateError = z.output<typeof stateError>

/**
 * The sentence a person is shown: the function's own message where there is one, also out of a child execution, whose
 * description is the cause then.
 */
export function describeStateError({ Error: name, Cause: cause }: StateError): string {
  if (name === 'States.Timeout') return 'A step took too long and was given up.'
  if (name === THROTTLED)
    return (
      'The account was running as many functions as it may for too long. Raise the Lambda quota "Concurrent executions", ' +
      'or lower the setting concurrency.'
    )
  const told = readCause(cause)
  if (typeof told.errorMessage === 'string' && told.errorMessage) return told.errorMessage
  const inner = stateError.safeParse(told)
  if (inner.success) return describeStateError(inner.data)
  if (typeof told.Status === 'string') return `A child execution ended as ${told.Status}.`
  return cause ? `${name}: ${cause}`.slice(0, MAX) : name
}

/** Characters of a cause that nobody has put into words, such as a service's answer. */
const MAX = 1_000

/** A cause that is plain text says no more than itself. */
function readCause(cause: string | undefined): { errorMessage?: unknown; Status?: unknown } {
  try {
    return Object(JSON.parse(cause ?? ''))
  } catch {
    return {}
  }
}
