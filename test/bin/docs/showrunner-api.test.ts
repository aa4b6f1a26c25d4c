import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../bin/docs/showrunner-api.ts'
import { apiRoutes, problemsOf, type RouteDefinition, type RouteKey } from '../../../lib/api/api.ts'
import { apiExamples } from '../../../lib/api/examples.ts'
import { problemTypes } from '../../../lib/api/problem-types.ts'
import { CALLBACK_ROUTE } from '../../../lib/events/platform-events.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: readonly { name: string; in: string; description?: string }[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { description: string; content?: object }>>
}

const document = JSON.parse(JSON.stringify(describeApi())) as {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)
const keys = Object.keys(apiRoutes) as RouteKey[]
const operationOf = (key: string) => described.find(([one]) => one === key)?.[1] as Operation

describe('describeApi', () => {
  it('has exactly the routes of the API', () => {
    expect(described.map(([key]) => key).sort()).toEqual([...keys, CALLBACK_ROUTE].sort())
  })

  it('names each operation once', () => {
    const names = described.map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(keys)('describes the role, the request and every status of %s', (key) => {
    const { role, query, body, text, isKeyed, answers }: RouteDefinition = apiRoutes[key]
    const operation = operationOf(key)
    expect(operation.security).toEqual(role === 'anybody' ? [] : [{ token: [`showrunner/${role}`] }])
    expect(operation.parameters.map(({ name }) => name)).toEqual([
      ...[...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      ...Object.keys(query?.shape ?? {}),
      ...(isKeyed ? ['Idempotency-Key'] : []),
      ...(key.startsWith('GET ') ? ['If-None-Match'] : []),
    ])
    expect(operation.parameters.filter(({ description }) => !description)).toEqual([])
    expect(operation.requestBody !== undefined).toBe((body ?? text) !== undefined)
    const ofRead = key.startsWith('GET ') ? ['304'] : []
    const statuses = problemsOf(key).map((type) => String(problemTypes[type].status))
    const ofGateway = ['429', '503', ...(role === 'anybody' ? [] : ['401'])]
    expect(Object.keys(operation.responses).sort()).toEqual(
      [...new Set([...Object.keys(answers), ...ofRead, ...statuses, ...ofGateway])].sort(),
    )
    for (const type of problemsOf(key))
      expect(operation.responses[problemTypes[type].status]?.description).toContain(`\`${type}\``)
  })

  it.each(keys)('has a valid example for %s', (key) => {
    const { body, text, answers }: RouteDefinition = apiRoutes[key]
    const example = apiExamples[key]
    expect(example.body !== undefined).toBe((body ?? text) !== undefined)
    body?.parse(example.body)
    // Two statuses may answer the same document, as 200 and 202 of what may take longer do.
    const fitting = Object.values(answers).filter((schema) => schema.safeParse(example.answer).success)
    expect(fitting).not.toEqual([])
    for (const schema of fitting) expect(schema.parse(example.answer)).toEqual(example.answer)
  })

  it('describes the answers of API Gateway, which are not problem documents', () => {
    expect(document.info.description).toContain('HTTP APIs have no gateway responses')
    const typesOf = (status: string) => Object.keys(operationOf('GET /shows').responses[status]?.content ?? {})
    for (const status of ['401', '429', '503']) expect(typesOf(status)).toEqual(['application/json'])
    for (const status of ['403', '500'])
      expect(typesOf(status)).toEqual(['application/problem+json', 'application/json'])
    expect(typesOf('400')).toEqual(['application/problem+json'])
  })

  it('has no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(references.length).toBeGreaterThan(20)
    expect(references.filter((reference) => !known.includes(reference ?? ''))).toEqual([])
  })
})
