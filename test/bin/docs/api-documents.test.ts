import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documents } from '../../../bin/docs/documents.ts'
import { root } from '../../../bin/local/root.ts'
import { compilerOf, type JsonSchema } from '../../support/schemas/json-schemas.ts'

interface Exemplified {
  readonly schema?: object
  readonly example?: unknown
}

interface Contents {
  readonly content?: Readonly<Record<string, Exemplified>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly (Exemplified & { readonly name: string; readonly description?: string })[]
  readonly requestBody?: Contents
  readonly responses: Readonly<Record<string, Contents>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

describe.each(['docs/openapi.json', 'docs/showrunner-api.json'])('%s', (path) => {
  const document = JSON.parse(documents[path]?.() ?? '')
  const items: Partial<Record<(typeof METHODS)[number], Operation>>[] = Object.values(document.paths)
  const operations = items.flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
  const tags: { name: string; description: string }[] = document.tags

  const accepts = (schema: object, value: unknown): boolean =>
    compilerOf(document.components.schemas)(schema as JsonSchema)(value)
  const contentsOf = ({ requestBody, responses }: Operation) =>
    [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}))
  const examplesOf = (operation: Operation) =>
    [...contentsOf(operation), ...operation.parameters].filter(({ example }) => example !== undefined)

  it('names contact and license as package.json does', () => {
    const { bugs, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(document.info).toMatchObject({ contact: { url: bugs }, license: { name: license } })
  })

  it('has a description for each tag, and uses each', () => {
    expect(tags.filter(({ description }) => !description)).toEqual([])
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(operations.flatMap(({ tags }) => tags))].sort())
  })

  it.each(operations)(
    'describes $operationId with a tag, sentences beyond its summary, and an example',
    (operation) => {
      const { summary, description, parameters, security } = operation
      expect(operation.tags).toHaveLength(1)
      expect(description).toMatch(/^[A-Z].*\.$/)
      expect(description).not.toContain(summary)
      expect(parameters.filter((one) => !one.description)).toEqual([])
      expect(examplesOf(operation)).not.toEqual([])
      for (const one of Object.values(operation.requestBody?.content ?? {})) expect(one.example).toBeDefined()
      const { securitySchemes } = document.components
      for (const [scheme, scopes] of security.flatMap((one) => Object.entries(one))) {
        const known = Object.keys(securitySchemes[scheme].flows?.clientCredentials.scopes ?? {})
        expect(known).toEqual(expect.arrayContaining([...scopes]))
      }
    },
  )

  it.each(operations)('has examples of $operationId that match their schemas', (operation) => {
    for (const { schema = {}, example } of examplesOf(operation))
      expect(accepts(schema, example), JSON.stringify(example)).toBe(true)
  })
})
