import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ApiProblem, problemResponse } from '../../../lambdas/http/problem.ts'
import { apiRoutes, problemsOf, type RouteKey } from '../../../lib/api/api.ts'
import { problemUri } from '../../../lib/api/problem-names.ts'
import { problemTypes } from '../../../lib/api/problem-types.ts'
import { retryAfterOf } from '../../../lib/api/retry-after.ts'
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

  it.each(
    types.filter((type) =>
      /^Repeat the request (with the same key after|when|after|later)/.test(problemTypes[type].action),
    ),
  )('%s can be cured by a later retry, and so names the seconds in Retry-After', (type) => {
    const { headers } = problemResponse(new ApiProblem(type, 'Wait.'))
    expect(headers).toMatchObject({ 'retry-after': String(retryAfterOf(type)) })
    expect(problemResponse(new ApiProblem(type, 'Wait.', undefined, { 'retry-after': '7' })).headers).toMatchObject({
      'retry-after': '7',
    })
  })

  it('names no seconds where a later retry does not help', () => {
    const patient = types.filter((type) => retryAfterOf(type) !== undefined)
    expect(patient.sort()).toEqual(
      ['control-in-progress', 'platform-failed', 'platform-unreachable', 'recording-busy', 'show-not-open'].sort(),
    )
    expect(problemResponse(new ApiProblem('unknown-show', 'There is none.')).headers).not.toHaveProperty('retry-after')
  })

  it('has Retry-After in the description of every route with a problem that a later retry can cure', () => {
    const { paths } = JSON.parse(readFileSync(new URL('../../../docs/showrunner-api.json', import.meta.url), 'utf8'))
    for (const key of Object.keys(apiRoutes) as RouteKey[]) {
      const [method = '', path = ''] = key.split(' ')
      for (const type of problemsOf(key).filter(retryAfterOf))
        expect(
          paths[path][method.toLowerCase()].responses[problemTypes[type].status].headers,
          `${key}: ${type}`,
        ).toHaveProperty('Retry-After')
    }
  })

  it('has a section of docs/problems.md for each type, under the address that its problems name', () => {
    const document = readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8')
    const sections = [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(sections).toEqual(types.map((type) => problemUri(type).split('docs/problems.md#')[1]))
  })
})
