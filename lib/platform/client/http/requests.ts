import type { Operation } from '../../contract/operation.ts'
import { PlatformRequestError } from '../errors.ts'
import { describeSchemaError } from '../schema-errors.ts'

export interface PreparedRequest {
  /** URL that the operation's path is relative to; empty if the client lacks it. */
  readonly base: string
  readonly url: string
  readonly method: Operation['method']
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Validates one flat object of arguments against the contract, and distributes it to path, query and body.
 *
 * Defaults are sent explicitly, because deployments differ: a session that is relayed by default cannot be recorded. Unknown
 * arguments are refused at any depth.
 * @throws {@link PlatformRequestError} with the name of the invalid argument, never with its value
 */
export function prepareRequest(
  name: string,
  operation: Operation,
  given: Arguments,
  {
    baseUrl,
    insightsUrl = '',
    apiKey,
  }: { baseUrl: string; insightsUrl?: string | undefined; apiKey?: string | undefined },
): PreparedRequest {
  const refuse = (argument: string, problem: string): never => {
    throw new PlatformRequestError(`${name} was not sent: argument ${argument}: ${problem}.`, {
      details: { operation: name, attempt: 0 },
    })
  }
  const check = (schema: Operation['body'], args: Arguments): Arguments => {
    const parsed = schema?.safeParse(args)
    if (!parsed) return {}
    if (parsed.success) return parsed.data as Arguments
    const { path, message } = describeSchemaError(parsed.error)
    return refuse(path || 'object', message)
  }

  const { path, rest } = fillPath(
    operation.path,
    given,
    operation.credentials === 'account' ? undefined : apiKey,
    refuse,
  )
  const query = check(operation.query, rest)
  const body = check(operation.body, rest)
  const unknownName = firstUnknown(rest, { ...query, ...body })
  if (unknownName) refuse(unknownName, 'is unknown; correct its name or omit it')

  const search = encodeForm(query)
  const hasBody = Object.keys(body).length > 0 // createProject without a name has neither body nor content type
  const isForm = operation.encoding === 'form'
  const base = operation.base === 'insights' ? insightsUrl : baseUrl
  return {
    base,
    url: `${base}${path}${search && `?${search}`}`,
    method: operation.method,
    headers: {
      accept: 'application/json',
      ...(hasBody && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    },
    body: hasBody ? (isForm ? encodeForm(body) : JSON.stringify(body)) : undefined,
  }
}

function fillPath(
  template: string,
  given: Arguments,
  apiKey: string | undefined,
  refuse: (argument: string, problem: string) => never,
) {
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const own = name === 'apiKey' ? apiKey : undefined // account credentials name the project they are about
    const value = own ?? given[name]
    if (typeof value !== 'string' || value === '') return refuse(name, 'must be a string with at least one character')
    if (value === '.' || value === '..') return refuse(name, 'is not an id') // a URL would drop it and the segment before it
    if (own === undefined) delete rest[name]
    return encodeURIComponent(value)
  })
  return { path, rest }
}

/** Returns the dotted name of the first argument that the schemas removed. */
function firstUnknown(given: unknown, known: unknown): string | undefined {
  if (!isObject(given) || !isObject(known)) return undefined
  if (Array.isArray(known) && !Array.isArray(given)) return firstUnknown(given, known[0]) // startBroadcast accepts one RTMP output instead of a list
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(known, name)) return name
    const inner = firstUnknown(value, known[name])
    if (inner) return `${name}.${inner}`
  }
  return undefined
}

const isObject = (value: unknown): value is Arguments => typeof value === 'object' && value !== null

const encodeForm = (fields: Arguments): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()
