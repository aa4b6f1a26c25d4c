import { z } from 'zod'
import { errorBody } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { normalize } from './answers.ts'
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
import type { ResponseHeaders } from './http/transport.ts'
import { parseLeniently, type Unreadable } from './lenient-parsing.ts'

export type CallOutcome = { readonly answer: unknown } | CallFailure

/** Values and list items of one answer that could not be parsed and were left out. */
export interface LeftOut {
  readonly operation: string
  readonly values: readonly Unreadable[]
}

export interface CallFailure {
  readonly error: PlatformError
  /**
   * `harmless`: the attempt had no effect. `doubtful`: its answer was lost, and it may have had its effect. `pointless`: a
   * repetition would fail as well.
   */
  readonly repetition: 'harmless' | 'doubtful' | 'pointless'
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined
}

export interface AttemptContext {
  readonly name: string
  readonly operation: Operation
  readonly attempt: number
  readonly baseUrl: string
  /** Removes secrets from the text of an answer or of a network error. */
  readonly redact: (text: string) => string
  /** Receives the values that were left out of the answer. */
  readonly onLeftOut: (leftOut: LeftOut) => void
}

/** Converts the result of an exchange to an answer in the contract's shape, or to a failure with the right error class. */
export function readOutcome(exchange: Exchange, context: AttemptContext): CallOutcome {
  if (exchange.kind === 'no-answer') {
    const { code, neverSent } = exchange
    const problem = context.redact(exchange.problem)
    const cause = Object.assign(new Error(problem), { code })
    return unavailable(`the connection failed (${problem})`, context, neverSent ? 'harmless' : 'doubtful', cause)
  }
  if (exchange.status < 200 || exchange.status > 299) return refusal(exchange, context)
  return exchange.kind === 'unusable'
    ? unparsable(exchange, context, exchange.problem, exchange.lost ? 'doubtful' : 'pointless')
    : success(exchange, context)
}

/** Returns the failure of an attempt without an answer. */
export function unavailable(
  problem: string,
  context: AttemptContext,
  repetition: CallFailure['repetition'],
  cause?: Error,
): CallFailure {
  const message = `${headline(context)} received no answer from ${context.baseUrl}: ${problem}; check that the platform can be reached, or try again later.`
  return { error: new PlatformUnavailableError(message, { details: detailsOf(context), cause }), repetition }
}

type Answered = Extract<Exchange, { headers: ResponseHeaders }>

function success(exchange: Extract<Exchange, { kind: 'answer' }>, context: AttemptContext): CallOutcome {
  const { response: schema } = context.operation.success
  if (!schema) return { answer: undefined }
  const isEmpty = exchange.text.trim() === ''
  const json = isEmpty ? {} : parseJson(exchange.text)
  if (json === undefined)
    return unparsable(exchange, context, `${mediaType(exchange.headers)} instead of JSON`, 'pointless')
  const parsed = schema.safeParse(json) // the usual case, and the fastest
  if (parsed.success) return { answer: normalize(schema, parsed.data) }
  const result = parseLeniently(schema, json)
  if ('missing' in result) {
    const { path, problem } = result.missing
    const sent = isEmpty ? 'an empty body instead of JSON' : 'JSON of another shape'
    return unparsable(exchange, context, `${sent} (${path || 'the whole'}: ${problem})`, 'pointless')
  }
  const { value, leftOut } = result
  if (leftOut.length > 0) context.onLeftOut({ operation: context.name, values: leftOut })
  return { answer: withSkipped(normalize(schema, value), json) }
}

/** Adds the number of skipped items, because paging counts all items that the platform sent. */
function withSkipped(answer: unknown, json: unknown): unknown {
  const [parsed, sent] = [answer, json].map((one) => (one as { items?: unknown }).items)
  if (!Array.isArray(parsed) || !Array.isArray(sent) || parsed.length === sent.length) return answer
  return { ...(answer as object), skipped: sent.length - parsed.length }
}

function unparsable(
  answer: Answered,
  context: AttemptContext,
  problem: string,
  repetition: CallFailure['repetition'],
): CallFailure {
  const { advice } = classify(answer.status)
  const message = `${headline(context)} was answered ${answer.status} with ${problem}; ${advice}.`
  const details = detailsOf(context, answer.headers)
  return { error: new PlatformResponseError(message, { status: answer.status, details }), repetition }
}

function refusal(answer: Answered, context: AttemptContext): CallFailure {
  const { status, headers } = answer
  const body: ErrorFacts = answer.kind === 'answer' ? readErrorBody(answer.text, context.redact) : {}
  const reason = body.message ?? context.operation.errors[status as keyof Operation['errors']]
  const { errorClass, advice } = classify(status)
  const message = `${headline(context)} was answered ${status}${reason ? ` (${reason.replace(/\.$/, '')})` : ''}; ${advice}.`
  return {
    error: new errorClass(message, { status, details: { ...detailsOf(context, headers), ...body } }),
    repetition: status === 429 ? 'harmless' : status >= 500 ? 'doubtful' : 'pointless',
    retryAfter: headers.get('retry-after') ?? undefined,
  }
}

const headline = ({ name, operation, attempt }: AttemptContext) =>
  `${name} (${operation.method} ${operation.path}${attempt > 1 ? `, attempt ${attempt}` : ''})`

function detailsOf({ name, attempt, redact }: AttemptContext, headers?: ResponseHeaders) {
  const id = headers?.get('x-request-id')
  return { operation: name, attempt, ...(id && { requestId: redact(id).slice(0, 100) }) }
}

/** The body of an error. Some deployments answer `{"code":-1,"message","description"}`. */
const describedError = errorBody.extend({
  description: z.string().optional(),
  /** Insights adds its own code. */
  errors: z
    .array(z.looseObject({ errorCode: z.int().optional() }))
    .optional()
    .catch(undefined),
})

type ErrorFacts = Pick<PlatformErrorDetails, 'code' | 'errorCode' | 'message'>

/** Parses the body of an error. For any other form, it returns the text without markup. */
function readErrorBody(text: string, redact: (text: string) => string): ErrorFacts {
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
  const readable = redact(json === undefined ? text : stringsIn(json).join(' '))
    .slice(0, 10 * MAX_MESSAGE_LENGTH)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return readable ? { message: readable.slice(0, MAX_MESSAGE_LENGTH) } : {}
}

/** Returns undefined instead of throwing, because the error of JSON.parse quotes the text, which may have a secret. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mediaType = (headers: ResponseHeaders) =>
  headers.get('content-type')?.match(/^[\w.+-]+\/[\w.+-]+/)?.[0] ?? 'something'
