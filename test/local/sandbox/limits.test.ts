import { describe, expect, it } from 'vitest'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type JsonSchema, jsonSchemaOf } from '../../../lib/platform/contract/operations/openapi.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { openTarget } from './open-target.ts'

/** A number by which the contract bounds an argument, and how to reach and to pass it. */
interface Bound {
  readonly name: OperationName
  readonly place: 'query' | 'body'
  readonly path: readonly string[]
  readonly limit: number
  /** The first value that is refused. */
  readonly beyond: number
  readonly make: (amount: number) => unknown
  readonly status: 400 | 413
}

const table = Object.entries(operations) as [OperationName, Operation][]

const byKeyword = {
  minimum: { step: -1, make: () => (amount: number) => amount },
  maximum: { step: 1, make: () => (amount: number) => amount },
  minLength: { step: -1, make: (schema: JsonSchema) => textOf(schema) },
  maxLength: { step: 1, make: (schema: JsonSchema) => textOf(schema) },
  maxItems: { step: 1, make: () => targets },
} as const

const textOf = (schema: JsonSchema) => (amount: number) =>
  schema.format === 'uri' ? 'https://a/'.padEnd(amount, 'a') : 'a'.repeat(amount)

/** Creates RTMP targets, the only lists that have a limit. */
const targets = (amount: number) =>
  Array.from({ length: amount }, (_, at) => ({ serverUrl: 'rtmp://127.0.0.1:9/live', streamName: `key ${at}` }))

/** Returns every bound of a query or body, except that a field is not empty. */
function boundsOf(name: OperationName, place: Bound['place']): Bound[] {
  const schema = (operations[name] as Operation)[place]
  if (!schema) return []
  const described = jsonSchemaOf(schema)
  const definitions = (described.$defs ?? {}) as Record<string, JsonSchema>
  const find = (given: JsonSchema, path: readonly string[]): Bound[] => {
    const part = given.$ref ? (definitions[given.$ref.replace(/^.*\//, '')] ?? {}) : given
    const own = Object.entries(byKeyword).flatMap(([keyword, { step, make }]): Bound[] => {
      const limit = part[keyword] as number | undefined
      if (limit === undefined || (keyword === 'minLength' && limit === 1)) return []
      return [{ name, place, path, limit, beyond: limit + step, make: make(part), status: 400 }]
    })
    const properties = Object.entries(part.properties ?? {})
    const forms = (part.anyOf ?? []) as JsonSchema[]
    return [
      ...own,
      ...forms.flatMap((form) => find({ ...form, properties: {} }, path)),
      ...properties.flatMap(([field, inner]) => find(inner as JsonSchema, [...path, field])),
    ]
  }
  return find(described, [])
}

/** Lengths in bytes, which JSON Schema has no word for. */
const inBytes = table
  .filter(([, { errors }]) => 413 in errors)
  .flatMap(([name]) =>
    Object.entries({ type: limits.signalType, data: limits.signalData }).map(([field, { value }]): Bound => {
      const make = (bytes: number) => `é${'a'.repeat(bytes - 2)}`
      return { name, place: 'body', path: [field], limit: value, beyond: value + 1, make, status: 413 }
    }),
  )

const bounds = [...table.flatMap(([name]) => [...boundsOf(name, 'query'), ...boundsOf(name, 'body')]), ...inBytes]

function withValue(
  fields: Readonly<Record<string, unknown>>,
  [name = '', ...inner]: readonly string[],
  value: unknown,
) {
  const own = fields[name] as Readonly<Record<string, unknown>> | undefined
  const put: unknown = inner.length === 0 ? value : withValue(own ?? {}, inner, value)
  return { ...fields, [name]: put }
}

async function sendAmount({ name, place, path, make }: Bound, amount: number) {
  const { example, send } = await openTarget(name)
  const value = make(amount)
  if (place === 'query') return send(undefined, `?${new URLSearchParams({ [path.join('.')]: String(value) })}`)
  return send(JSON.stringify(withValue(example, path, value)))
}

describe('createRouter', () => {
  it.each(bounds.map((bound) => [bound.name, bound.path.join('.'), bound.limit, bound] as const))(
    'lets %s take %s up to the limit of %d and no further',
    async (name, field, limit, bound) => {
      const operation: Operation = operations[name]
      expect((await sendAmount(bound, limit)).status).toBe(operation.success.status)
      const { status, body } = await sendAmount(bound, bound.beyond)
      expect(status).toBe(bound.status)
      const known = operation.codes?.[field]
      expect(body).toMatchObject(known ?? { code: bound.status, message: expect.stringContaining(field) })
    },
  )

  it('enforces every limit of an argument', () => {
    const held = new Set(bounds.map(({ limit }) => limit))
    const { listCountMax, archiveName, rtmpTargets, broadcastDurationMin, broadcastDurationMax } = limits
    const { composerUrlMin, composerUrlMax, composerNameMax, signalType, signalData } = limits
    for (const { value } of [listCountMax, archiveName, rtmpTargets, broadcastDurationMin, broadcastDurationMax])
      expect(held).toContain(value)
    for (const { value } of [composerUrlMin, composerUrlMax, composerNameMax, signalType, signalData])
      expect(held).toContain(value)
  })
})
