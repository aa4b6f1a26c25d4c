import type { z } from 'zod'
import { refusalOf } from '../../../lib/platform/contract/errors.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { Refusal } from './refusal.ts'
import { toSpecifiedForm } from './sdk-forms.ts'

/** A request's query and body as the contract's schemas read them, and the body as it was sent: undefined if it has no bytes. */
export interface Received {
  readonly query?: unknown
  readonly body?: unknown
  readonly submitted: unknown
}

/** Reads what an operation takes. @throws Refusal as the contract answers the first problem */
export async function receive(operation: Operation, request: Request): Promise<Received> {
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

/** Without a body of its own, an operation that answers 400 still refuses one that is not JSON. */
const mayRefuseBody = ({ method, errors }: Operation) => method === 'POST' && 400 in errors

/**
 * Reads a query or a body by its schema.
 * @throws Refusal 400 that names the field and what is wrong with it, or what the operation has of its own for it
 */
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

async function readBody(operation: Operation, request: Request): Promise<unknown> {
  const text = await request.text()
  if (operation.encoding === 'form') return readForm(text, request.headers)
  return text === '' ? undefined : readJson(text)
}

/** A variable of Insights may mean null. */
const specified = (value: unknown, operation: Operation) =>
  operation.base === 'insights' ? value : toSpecifiedForm(operation, value)

/** A body of zero bytes: where an operation does not say what it means, it is an empty object. */
const omitted = (body: z.ZodType) => (body.safeParse(undefined).success ? undefined : {})

/** An empty text is an empty object. @throws Refusal 400 if it is not JSON, or too deep */
export function readJson(text: string): unknown {
  const value = parseJson(text)
  if (isDeeperThan(DEEPEST, value)) throw new Refusal(400, `The body is nested more than ${DEEPEST} levels deep.`)
  return value
}

function parseJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : {}
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.')
  }
}

/** No operation needs more than five; without a bound a body that is sent back would overflow the stack. */
const DEEPEST = 64

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item))
}

/** Fields left empty, or sent as the string `null` as existing SDKs do, count as absent. */
function readForm(text: string, headers: Headers): unknown {
  const type = headers.get('content-type') ?? ''
  if (text && !type.startsWith('application/x-www-form-urlencoded'))
    throw new Refusal(400, 'The body must be sent as application/x-www-form-urlencoded.')
  return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== '' && value !== 'null'))
}

/** The first problem of a body, or of what else is told, in words: where it is and what it is, without the value itself. */
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
