import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fieldRows } from '../../bin/docs/fields.ts'
import { root } from '../../bin/local/root.ts'
import { jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'
import { maxSecondsOf } from '../../lib/show/document/duration.ts'
import { show } from '../../lib/show/document/show.ts'

const everything = JSON.parse(readFileSync(join(root, 'examples/everything.json'), 'utf8'))

/** What a show that begins at once, in a session of its own, cannot have. */
const ELSEWHERE = /^(start|session\.id)\b/

/** Paths of every field of a document, as the documentation writes them. */
const pathsIn = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsIn(item, `${path}[]`))]
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, path ? `${path}.${key}` : key))]
}

describe('examples/everything.json', () => {
  it('uses every field of a show that begins at once', () => {
    const fields = fieldRows(jsonSchemaOf(show)).map(([name = '']) => name.replaceAll('`', ''))
    const used = new Set(pathsIn(everything))
    expect(fields.length).toBeGreaterThan(50)
    expect(fields.filter((field) => !ELSEWHERE.test(field) && !used.has(field))).toEqual([])
  })

  it('is a show of at most ten minutes', () => {
    expect(maxSecondsOf(show.parse(everything))).toBe(600)
  })
})
