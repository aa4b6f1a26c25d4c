import type { z } from 'zod'
import { refusalOf } from '../../../lib/platform/contract/errors.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { Refusal } from './refusal.ts'
import { toSpecifiedForm } from './sdk-forms.ts'

/** Validated query and body of a request, and the body as it was sent: undefined if it has no bytes. */
export interface Received {
  readonly query?: unknown
  readonly body?: unknown
  readonly submitted: unknown
}

/** The headers of a request. */
export type RequestHeaders = Pick<Headers, 'get' | 'keys'>

/** The parts of a request that are read: a `Request`, or one that never was HTTP. */
export interface ReadRequest extends Pick<Request, 'url' | 'text'> {
  readonly headers: RequestHeaders
}

/**
 * Reads the query and body of an operation.
 * @throws {@link Refusal} with the contract's status and code for the first problem
 */
export async function receive(operation: Operation, request: ReadRequest): Promise<Received> {
  const { query, body } = operation
  const submitted = body || mayRefuseBody(operation) ? await readBody(operation, request) : undefined
  return {
    ...(query && { query: parse(query, Object.fromEntries(new URL(request.url).searchParams), operation) }),
    ...(body && {
      body: parse(body, submitted === undefined ? omitted(body) : specified(submitted, operation), operation),
    }),
    submitted,
  }
}

/** Returns true for an operation without a body that still refuses a body that is not JSON, since it answers 400. */
const mayRefuseBody = ({ method, errors }: Operation) => method === 'POST' && 400 in errors

/** @throws {@link Refusal} 400 that names the field and its problem, or the operation's own refusal */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  operation: Pick<Operation, 'codes'> = {},
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { status, code, message = `${describeProblem(result.error)}.` } = refusalOf(operation, result.error)
  throw new Refusal(status, message, code)
}

async function readBody(operation: Operation, request: ReadRequest): Promise<unknown> {
  const text = await request.text()
  if (operation.encoding === 'form') return readForm(text, request.headers)
  return text === '' ? undefined : readJsonBody(text)
}

/** Converts SDK forms, except for Insights, whose variables may be null. */
const specified = (value: unknown, operation: Operation) =>
  operation.base === 'insights' ? value : toSpecifiedForm(operation, value)

/** Returns the value of an empty body: an empty object unless the operation's schema accepts undefined. */
const omitted = (body: z.ZodType) => (body.safeParse(undefined).success ? undefined : {})

/**
 * Parses JSON; an empty text is an empty object.
 * @throws {@link Refusal} 400 for text that is not JSON, or is nested too deep
 */
export function readJsonBody(text: string): unknown {
  const value = parseJson(text)
  if (isDeeperThan(MAX_DEPTH, value)) throw new Refusal(400, `The body is nested more than ${MAX_DEPTH} levels deep.`)
  return value
}

function parseJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : {}
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.')
  }
}

/** Maximum depth of a body. Operations need five levels; without a bound, returning a body could overflow the stack. */
const MAX_DEPTH = 64

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item))
}

/** Reads a form. Empty fields, and the string `null` that SDKs send, count as absent. */
function readForm(text: string, headers: RequestHeaders): unknown {
  const type = headers.get('content-type') ?? ''
  if (text && !type.startsWith('application/x-www-form-urlencoded'))
    throw new Refusal(400, 'The body must be sent as application/x-www-form-urlencoded.')
  return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== '' && value !== 'null'))
}

/** Returns the first problem of a value as a message: the field and what is wrong, without the value itself. */
export function describeProblem(error: z.ZodError, whole = 'the body'): string {
  const [issue] = error.issues
  return issue ? describeIssue(issue, [], whole) : 'something is wrong'
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[], whole: string): string {
  const path = [...above, ...issue.path]
  const where = path.join('.') || whole
  const branch = issue.code === 'invalid_union' ? issue.errors.find((problems) => problems.length > 0)?.[0] : undefined
  if (branch) return describeIssue(branch, path, whole)
  if (issue.code === 'custom') return `${where} ${issue.message}`
  if (issue.message.endsWith('received undefined')) return `${where} is required`
  return `${where}: ${issue.message.replace(/^Invalid input: /, '')}`
}
