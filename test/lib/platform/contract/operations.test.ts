import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import { operations } from '../../../../lib/platform/contract/operations.ts'

const table: [string, Operation][] = Object.entries(operations)

describe('operations', () => {
  it.each(table)('%s has an example that its own schemas accept', (_name, operation) => {
    const { request, response } = operation.example
    const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name)
      .filter((n) => n !== 'apiKey')
    for (const name of placeholders) expect(request).toHaveProperty(String(name))
    operation.query?.parse(request)
    operation.body?.parse(request)
    expect(response === undefined).toBe(operation.success.response === undefined)
    operation.success.response?.parse(response)
  })

  it.each(table)('%s has schemas that JSON Schema can express', (_name, operation) => {
    for (const schema of [operation.query, operation.body, operation.success.response])
      if (schema) expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow()
  })

  it('routes no two operations alike', () => {
    const routes = table.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '*')}`)
    expect(new Set(routes).size).toBe(routes.length)
  })
})
