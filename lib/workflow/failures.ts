import { z } from 'zod'

/** What Step Functions hands to a Catch: an error's name, and the function's JSON or a service's words as its cause. */
export const stateError = z.object({ Error: z.string(), Cause: z.string().optional() })
export type StateError = z.output<typeof stateError>

/** The sentence a person is shown: the function's own message where there is one. */
export function inWords({ Error: name, Cause: cause }: StateError): string {
  if (name === 'States.Timeout') return 'A step took too long and was given up.'
  try {
    const { errorMessage } = JSON.parse(cause ?? '') as { errorMessage?: unknown }
    if (typeof errorMessage === 'string' && errorMessage) return errorMessage
  } catch {} // a cause that is plain text is used as it is
  return cause ? `${name}: ${cause}` : name
}
