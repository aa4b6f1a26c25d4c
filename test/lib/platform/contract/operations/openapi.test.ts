import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../../../../../lib/platform/contract/operation.ts'
import {
  describePlatform,
  jsonSchemaOf,
  placeholdersOf,
} from '../../../../../lib/platform/contract/operations/openapi.ts'
import { operations } from '../../../../../lib/platform/contract/operations/operations.ts'
import { compilerOf, type Definitions, type JsonSchema } from '../../../../support/schemas/json-schemas.ts'

const document = describePlatform()
const described = Object.values(document.paths).flatMap(({ servers: _, ...methods }) => Object.values(methods))
const methodOf = ({ method }: Operation) => method.toLowerCase() as Lowercase<Operation['method']>
const table: [string, Operation][] = Object.entries(operations)

/** Parses a value by a schema of the document, to compare it with the contract. */
const accepts = (schema: object, value: unknown): boolean =>
  compilerOf(document.components.schemas as Definitions)(schema as JsonSchema)(value)

describe('describePlatform', () => {
  it('describes every operation once, by its name', () => {
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(operations).sort())
  })

  it.each(table)('finds %s under its path and method', (name, operation) => {
    const { operationId, parameters } = document.paths[operation.path]?.[methodOf(operation)] ?? {}
    expect(operationId).toBe(name)
    const inPath = parameters?.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
    expect(inPath).toEqual(placeholdersOf(operation))
  })

  it.each(described)('$operationId lists every status of the contract', ({ operationId, responses }) => {
    const { success, errors }: Operation = operations[operationId as keyof typeof operations]
    expect(Object.keys(responses)).toEqual([String(success.status), ...Object.keys(errors)])
  })

  it.each(described)('$operationId has examples that its schemas accept', ({ requestBody, responses, parameters }) => {
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
    const examples = contents.flatMap((content) => Object.values(content ?? {})).filter((one) => 'example' in one)
    for (const { schema, example } of [...examples, ...parameters.filter((one) => 'example' in one)])
      expect(accepts(schema, example), JSON.stringify(example)).toBe(true)
  })

  it('has another server only for Insights', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['{baseUrl}'])
    const apart = Object.entries(document.paths).filter(([, { servers }]) => servers !== undefined)
    expect(apart.map(([path, { servers }]) => [path, servers?.map(({ url }) => url)])).toEqual([
      ['/graphql', ['{insightsUrl}']],
    ])
  })

  it('keeps the constraints of schemas', () => {
    const { Layout = {} } = document.components.schemas
    expect(accepts(Layout, { type: 'bestFit' })).toBe(true)
    expect(accepts(Layout, { type: 'worstFit' })).toBe(false)
  })

  it('refers only to components that exist', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)
    const known = Object.keys(document.components.schemas).map((id) => `#/components/schemas/${id}`)
    for (const [, reference] of references) expect(known).toContain(reference)
  })

  it('names the credentials that sign an operation', () => {
    const getProject: Operation = {
      id: 'E34',
      summary: 'Read a project.',
      method: 'GET',
      path: '/v2/project/{apiKey}',
      credentials: 'account',
      repeatable: true,
      success: { status: 204 },
      errors: {},
      example: { request: {} },
    }
    const { paths, components } = describePlatform({ getProject })
    expect(paths['/v2/project/{apiKey}']?.get?.security).toEqual([{ accountToken: [] }])
    expect(components.securitySchemes).toHaveProperty('accountToken.name', 'X-SERVICE-AUTH')
  })
})

describe('jsonSchemaOf', () => {
  it('omits only bounds and patterns that are the same everywhere', () => {
    const { properties } = jsonSchemaOf(z.object({ any: z.int(), few: z.int().min(0).max(9), at: z.iso.datetime() }))
    expect(properties).toEqual({
      any: { type: 'integer' },
      few: { type: 'integer', minimum: 0, maximum: 9 },
      at: { type: 'string', format: 'date-time' },
    })
  })
  it('refers to schemas that are described elsewhere', () => {
    const inner = z.object({ text: z.string() })
    const { properties } = jsonSchemaOf(z.object({ inner, own: z.string() }), new Map([[inner, 'inner.json']]))
    expect(properties).toEqual({ inner: { $ref: 'inner.json' }, own: { type: 'string' } })
  })
})
