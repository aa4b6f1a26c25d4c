import { z } from 'zod'
import { Refusal } from '../http/refusal.ts'
import { describeProblem } from '../http/validation.ts'
import type { SessionAnswer } from './messages.ts'

/**
 * Parses a message as JSON without validating it; undefined stands for a binary message.
 * @throws {@link Refusal} 400
 */
export function readText(text: string | undefined): unknown {
  if (text === undefined) throw new Refusal(400, 'The message is binary: send text.')
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The message is not valid JSON.')
  }
}

/** Validates a message. @throws {@link Refusal} 400 that names the field and its problem */
export function readMessage<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Refusal(400, `The message cannot be read: ${describeProblem(result.error, 'the message')}.`)
}

/** Returns the number of a request, also of one that will be refused. */
export const requestNumber = (value: unknown): number | undefined => numbered.safeParse(value).data?.request

const numbered = z.object({ request: z.int() })

/** Converts an error into an answer; only refusals show their message. */
export const messageRefusalOf = (error: unknown, request?: number): SessionAnswer => ({
  type: 'refused',
  request,
  reason: error instanceof Refusal ? error.message : 'The sandbox failed.',
})
