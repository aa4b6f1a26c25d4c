import { z } from 'zod'
import { errorBody } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { toPlain } from './answers.ts'
import {
  classify,
  MAX_MESSAGE_LENGTH,
  type PlatformError,
  type PlatformErrorDetails,
  PlatformResponseError,
  PlatformUnavailableError,
} from './errors.ts'
import type { Exchange } from './http/exchange.ts'
import { stringsIn } from './http/redaction.ts'
import type { AnswerHeaders } from './http/transport.ts'
import { readLeniently, type Unreadable } from './lenient-reading.ts'

/** An operation's answer, or why there is none. */
export type Outcome = { readonly answer: unknown } | Failure

/** Values and list items of one answer that could not be read, and so are not in it. */
export interface LeftOut {
  readonly operation: string
  readonly values: readonly Unreadable[]
}

export interface Failure {
  readonly error: PlatformError
  /** `harmless`: it surely had no effect. `doubtful`: it may have had, the answer is lost. `pointless`: it would fail again. */
  readonly repetition: 'harmless' | 'doubtful' | 'pointless'
  /** The header as received. */
  readonly retryAfter?: string | undefined
}

/** What a failure is described with. */
export interface AttemptContext {
  readonly name: string
  readonly operation: Operation
  readonly attempt: number
  readonly baseUrl: string
  /** Blots secrets out of what the platform or the network says. */
  readonly redact: (text: string) => string
  /** Receives what was left out of the answer. */
  readonly onLeftOut: (leftOut: LeftOut) => void
}

/** Turns what came back into the answer of the contract's shape, or into an error of the right class. */
export function readOutcome(exchange: Exchange, context: AttemptContext): Outcome {
  if (exchange.kind === 'silence') {
    const { code, neverSent } = exchange
    const problem = context.redact(exchange.problem)
    const cause = Object.assign(new Error(problem), { code })
    return unavailable(`the connection failed (${problem})`, context, neverSent ? 'harmless' : 'doubtful', cause)
  }
  if (exchange.status < 200 || exchange.status > 299) return refusal(exchange, context)
  return exchange.kind === 'unusable'
    ? broken(exchange, context, exchange.problem, exchange.lost ? 'doubtful' : 'pointless')
    : success(exchange, context)
}

/** The failure of an attempt that got no answer. */
export function unavailable(
  problem: string,
  context: AttemptContext,
  repetition: Failure['repetition'],
  cause?: Error,
): Failure {
  const message = `${headline(context)} got no answer from ${context.baseUrl}: ${problem}; check that it can be reached, or try again later.`
  return { error: new PlatformUnavailableError(message, { details: detailsOf(context), cause }), repetition }
}

type Answered = Extract<Exchange, { headers: AnswerHeaders }>

function success(exchange: Extract<Exchange, { kind: 'answer' }>, context: AttemptContext): Outcome {
  const { response: schema } = context.operation.success
  if (!schema) return { answer: undefined }
  const isEmpty = exchange.text.trim() === ''
  const json = isEmpty ? {} : parseJson(exchange.text)
  if (json === undefined)
    return broken(exchange, context, `${mediaType(exchange.headers)} instead of JSON`, 'pointless')
  const parsed = schema.safeParse(json) // the usual case, and the fastest
  if (parsed.success) return { answer: toPlain(schema, parsed.data) }
  const reading = readLeniently(schema, json)
  if ('missing' in reading) {
    const { path, problem } = reading.missing
    const sent = isEmpty ? 'an empty body instead of JSON' : 'JSON of another shape'
    return broken(exchange, context, `${sent} (${path || 'the whole'}: ${problem})`, 'pointless')
  }
  const { value, leftOut } = reading
  if (leftOut.length > 0) context.onLeftOut({ operation: context.name, values: leftOut })
  return { answer: withSkipped(toPlain(schema, value), json) }
}

/** Paging counts the items that the platform sent, not those that could be read. */
function withSkipped(answer: unknown, json: unknown): unknown {
  const [read, sent] = [answer, json].map((one) => (one as { items?: unknown }).items)
  if (!Array.isArray(read) || !Array.isArray(sent) || read.length === sent.length) return answer
  return { ...(answer as object), skipped: sent.length - read.length }
}

function broken(
  answer: Answered,
  context: AttemptContext,
  problem: string,
  repetition: Failure['repetition'],
): Failure {
  const { advice } = classify(answer.status)
  const message = `${headline(context)} was answered ${answer.status} with ${problem}; ${advice}.`
  const details = detailsOf(context, answer.headers)
  return { error: new PlatformResponseError(message, { status: answer.status, details }), repetition }
}

function refusal(answer: Answered, context: AttemptContext): Failure {
  const { status, headers } = answer
  const said: Said = answer.kind === 'answer' ? readErrorBody(answer.text, context.redact) : {}
  const reason = said.message ?? context.operation.errors[status as keyof Operation['errors']]
  const { errorClass, advice } = classify(status)
  const message = `${headline(context)} was answered ${status}${reason ? ` (${reason.replace(/\.$/, '')})` : ''}; ${advice}.`
  return {
    error: new errorClass(message, { status, details: { ...detailsOf(context, headers), ...said } }),
    repetition: status === 429 ? 'harmless' : status >= 500 ? 'doubtful' : 'pointless',
    retryAfter: headers.get('retry-after') ?? undefined,
  }
}

const headline = ({ name, operation, attempt }: AttemptContext) =>
  `${name} (${operation.method} ${operation.path}${attempt > 1 ? `, attempt ${attempt}` : ''})`

function detailsOf({ name, attempt, redact }: AttemptContext, headers?: AnswerHeaders) {
  const id = headers?.get('x-request-id')
  return { operation: name, attempt, ...(id && { requestId: redact(id).slice(0, 100) }) }
}

/** Some deployments answer `{"code":-1,"message","description"}`. */
const describedError = errorBody.extend({
  description: z.string().optional(),
  /** Insights say more of the same in a code of theirs. */
  errors: z
    .array(z.looseObject({ errorCode: z.int().optional() }))
    .optional()
    .catch(undefined),
})

type Said = Pick<PlatformErrorDetails, 'code' | 'errorCode' | 'message'>

/** Reads either form of an error's body, or the words of one that has another. */
function readErrorBody(text: string, redact: (text: string) => string): Said {
  const json = parseJson(text)
  const parsed = describedError.safeParse(json)
  if (parsed.success) {
    const { code, message, description, errors } = parsed.data
    const errorCode = errors?.[0]?.errorCode
    return {
      code,
      ...(errorCode !== undefined && { errorCode }),
      message: redact([message, description].filter(Boolean).join(': ')).slice(0, MAX_MESSAGE_LENGTH),
    }
  }
  const words = redact(json === undefined ? text : stringsIn(json).join(' '))
    .slice(0, 10 * MAX_MESSAGE_LENGTH)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words ? { message: words.slice(0, MAX_MESSAGE_LENGTH) } : {}
}

/** JSON.parse's own error quotes the text, which may repeat a secret: hence undefined instead. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mediaType = (headers: AnswerHeaders) =>
  headers.get('content-type')?.match(/^[\w.+-]+\/[\w.+-]+/)?.[0] ?? 'something'
