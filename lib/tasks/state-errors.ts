import { z } from 'zod'
import { THROTTLED } from './retries.ts'

/** The error that Step Functions passes to a Catch: its name, and as its cause the function's JSON or a service's text. */
export const stateError = z.object({ Error: z.string(), Cause: z.string().optional() })
export type StateError = z.output<typeof stateError>

/** Returns the message of an error for people: that of the function, also from a child execution, if there is one. */
export function describeStateError({ Error: name, Cause: cause }: StateError): string {
  if (name === 'States.Timeout') return 'A task took too long and was stopped.'
  if (name === THROTTLED)
    return (
      'The account ran as many functions as its quota allows for too long. Raise the Lambda quota "Concurrent executions", ' +
      'or lower the setting concurrency.'
    )
  const parsed = readCause(cause)
  if (typeof parsed.errorMessage === 'string' && parsed.errorMessage) return parsed.errorMessage
  const inner = stateError.safeParse(parsed)
  if (inner.success) return describeStateError(inner.data)
  if (typeof parsed.Status === 'string') return `A child execution ended as ${parsed.Status}.`
  return cause ? `${name}: ${cause}`.slice(0, MAX) : name
}

/** Characters of a cause that has no message, such as a service's answer. */
const MAX = 1_000

/** Returns the JSON of a cause; {} for plain text. */
function readCause(cause: string | undefined): { errorMessage?: unknown; Status?: unknown } {
  try {
    return Object(JSON.parse(cause ?? ''))
  } catch {
    return {}
  }
}
