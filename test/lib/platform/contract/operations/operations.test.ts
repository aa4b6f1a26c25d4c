import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { limits } from '../../../../../lib/platform/contract/limits.ts'
import type { Operation, ReceivedRequest, Request } from '../../../../../lib/platform/contract/operation.ts'
import { type Operations, operations } from '../../../../../lib/platform/contract/operations/operations.ts'

const table: [string, Operation][] = Object.entries(operations)
const contract = new URL('../../../../../lib/platform/contract/', import.meta.url)

const placeholdersOf = ({ path, credentials }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => String(name))
    .filter((name) => name !== 'apiKey' || credentials === 'account')

/** Keywords of JSON Schema for bounds. */
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']
function boundsIn(schema: unknown): number[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => (bounds.includes(name) ? [value] : boundsIn(value)))
}

describe('operations', () => {
  it('are all of E1 to E36, and E5 and E34 twice', () => {
    const numbers = table.map(([, { id }]) => Number(id.slice(1)))
    const wanted = [...Array.from({ length: 36 }, (_, at) => at + 1), 5, 34]
    expect(numbers.sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b))
  })

  it.each(table)('%s has an example that its own schemas accept', (_name, operation) => {
    const { request, response } = operation.example
    for (const name of placeholdersOf(operation)) expect(request).toHaveProperty(name)
    operation.query?.parse(request)
    operation.body?.parse(request)
    expect(response === undefined).toBe(operation.success.response === undefined)
    operation.success.response?.parse(response)
  })

  it.each(table)('%s has schemas that JSON Schema can express', (_name, operation) => {
    for (const schema of [operation.query, operation.body, operation.success.response])
      if (schema) expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow()
  })

  it.each(table)(
    '%s has a summary with a verb in the third person, and a sentence for each status',
    (_name, { summary, errors }) => {
      for (const sentence of [summary, ...Object.values(errors)]) expect(sentence).toMatch(/^[A-Z].{7,}\.$/s)
      expect(summary).toMatch(/^[A-Z][a-z]+s /)
      expect(Object.keys(errors)).toEqual(expect.arrayContaining(['403', '500']))
    },
  )

  it.each(table)('%s has only bounds with a source', (_name, operation) => {
    const known: number[] = [0, 1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    known.push(...Object.values(limits).map(({ value }) => value))
    for (const schema of [operation.query, operation.body])
      if (schema) for (const bound of boundsIn(z.toJSONSchema(schema, { io: 'input' }))) expect(known).toContain(bound)
  })

  it('have no limit in a schema as a number', async () => {
    for (const file of await readdir(contract, { recursive: true }).then((files) =>
      files.filter((file) => file.endsWith('.ts')),
    )) {
      const source = await readFile(new URL(file, contract), 'utf8')
      const written = source.match(/\.(?:min|max|length|gt|gte|lt|lte)\((?![01]\))\d[\d_]*/g)
      expect(written ?? [], file).toEqual([])
    }
  })

  it('use only known placeholders', () => {
    const names = new Set(table.flatMap(([, { path }]) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))
    const known = ['apiKey', 'sessionId', 'connectionId', 'streamId', 'archiveId', 'broadcastId', 'composerId']
    expect([...names].sort()).toEqual(known.sort())
  })

  it('have no path that ends with a slash', () => {
    expect(table.filter(([, { path }]) => path.endsWith('/'))).toEqual([])
  })

  it('routes no two operations alike', () => {
    const routes = table.map(([, { base, method, path }]) => `${base} ${method} ${path.replace(/\{\w+\}/g, '*')}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it('precede other operations whose path also matches', () => {
    table.forEach(([name, { method, path }], at) => {
      for (const [earlier, other] of table.slice(0, at))
        if (other.method === method)
          expect(
            new RegExp(`^${other.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
            `${earlier} hides ${name}`,
          ).toBe(false)
    })
  })

  it('sign operations on projects with the account, and all others with the project', () => {
    const byAccount = table.filter(([, { credentials }]) => credentials === 'account').map(([, { id }]) => id)
    expect([...new Set(byAccount)]).toEqual(['E31', 'E32', 'E33', 'E34', 'E35'])
  })

  it('require only arguments without a default, in the types of callers', () => {
    expectTypeOf<Request<Operations['listArchives']>>().toEqualTypeOf<{
      offset?: number | undefined
      count?: number | undefined
      sessionId?: string | undefined
    }>()
    expectTypeOf<Request<Operations['getProject']>>().toEqualTypeOf<{ apiKey: string }>()
    expectTypeOf<Request<Operations['getArchive']>>().toEqualTypeOf<{ archiveId: string }>()
    expectTypeOf<ReceivedRequest<Operations['getArchive']>>().toEqualTypeOf<{ apiKey: string; archiveId: string }>()
    expectTypeOf<keyof ReceivedRequest<Operations['createProject']>>().toEqualTypeOf<'body'>()
  })
})
