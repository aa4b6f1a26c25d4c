import { z } from 'zod'
import { Refusal } from '../http/refusal.ts'
import { describeProblem } from '../http/validation.ts'
import type { Answer } from './messages.ts'

/** What a message says, not looked at yet; undefined is one that is no text. @throws Refusal */
export function readText(text: string | undefined): unknown {
  if (text === undefined) throw new Refusal(400, 'Messages are text: this one is binary.')
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The message is not valid JSON.')
  }
}

/** @throws Refusal that names the field and what is wrong with it */
export function readMessage<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Refusal(400, `The message cannot be read: ${describeProblem(result.error, 'the message')}.`)
}

/** The number by which whoever asks will know the answer, also of a request that is refused. */
export const requestNumber = (value: unknown): number | undefined => numbered.safeParse(value).data?.request

const numbered = z.object({ request: z.int() })

/** What is told of an error: nothing but for refusals. */
export const refusalOf = (error: unknown, request?: number): Answer => ({
  type: 'refused',
  request,
  reason: error instanceof Refusal ? error.message : 'The sandbox failed.',
})
