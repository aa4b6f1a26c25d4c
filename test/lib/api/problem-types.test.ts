import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apiRoutes, problemsOf, type RouteKey } from '../../../lib/api/api.ts'
import { problemTypes, problemUri } from '../../../lib/api/problem-types.ts'
import { readSources } from '../../laws/sources.ts'

const types = Object.keys(problemTypes) as (keyof typeof problemTypes)[]
const code = readSources('lambdas')
  .map(({ text }) => text)
  .join('\n')

/** Types of routes that are not in the table of the API. */
const elsewhere = [
  ...['unknown-route', 'method-not-allowed', 'wrong-origin', 'unknown-file', 'gzip-required'],
  ...['invalid-link', 'link-required', 'link-expired', 'link-revoked'],
  ...['unregistered-callback', 'untrusted-callback', 'unknown-callback'],
]

describe('problemTypes', () => {
  // Types keep answers within the table, and test/lambdas/api/call.ts compares every answer with the types of its route.
  it.each(types)('has %s, which a function answers', (type) => {
    expect(code).toMatch(new RegExp(`(new ApiProblem\\([^)]*?|refuse\\(|\\d: )'${type}'`))
  })

  it('has the types of every route, and no others but those of watch pages and callbacks', () => {
    const ofRoutes = (Object.keys(apiRoutes) as RouteKey[]).flatMap(problemsOf)
    expect([...new Set([...ofRoutes, ...elsewhere])].sort()).toEqual([...types].sort())
  })

  it('has a section of docs/problems.md for each type, under the address that its problems name', () => {
    const document = readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8')
    const sections = [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(sections).toEqual(types.map((type) => problemUri(type).split('docs/problems.md#')[1]))
  })
})
