import { describe, expect, it } from 'vitest'
import { documentedAnswers } from '../../../../../local/simulation/invariants/visits/documented-answers.ts'
import { visited } from './visited.ts'

const headers = { 'content-type': 'application/json', etag: '"1"' }
const nothing = { apiRequests: [], failedCalls: [] }
const problemsOf = (...visits: ReturnType<typeof visited>[]) => documentedAnswers({ ...nothing, visits })

describe('documentedAnswers', () => {
  it('accepts answers as docs/showrunner-api.json describes them', () => {
    expect(problemsOf(visited('/publishing', { items: [] }, { expects: 200, headers }))).toEqual([])
  })

  it('finds a body, a status and a media type that are not documented', () => {
    expect(problemsOf(visited('/publishing', { list: [] }, { headers }))).toEqual([
      expect.stringMatching(/^GET \/publishing is answered 200, and items: /),
    ])
    expect(problemsOf(visited('/publishing', {}, { status: 418 }))).toEqual([
      'GET /publishing is answered 418, and the status 418 is not documented',
    ])
    expect(
      problemsOf(visited('/publishing', { items: [] }, { headers: { ...headers, 'content-type': 'text/html' } })),
    ).toEqual(['GET /publishing is answered 200, and the type text/html is not documented'])
  })

  it('finds headers that are missing, not documented, or no number of seconds', () => {
    const path = '/shows/a/execution/redrive'
    const judge = (given: Record<string, string>) =>
      problemsOf(
        visited(
          path,
          { showId: 'a', executionName: 'a-2' },
          { method: 'POST', status: 202, headers: { 'content-type': 'application/json', ...given } },
        ),
      ).map((problem) => problem.replace(`POST ${path} is answered 202, and `, ''))
    const location = '/shows/a/execution'
    expect(judge({ location, 'retry-after': '2' })).toEqual([])
    expect(judge({ 'retry-after': '2' })).toEqual(['the header Location is missing'])
    expect(judge({ location, 'retry-after': 'soon' })).toEqual(['the header Retry-After is soon'])
    expect(judge({ location, 'retry-after': '2', etag: '"1"' })).toEqual(['the header ETag is not documented'])
  })

  it('finds another status than the situation requires, if nothing fails', () => {
    const visit = visited('/watch/show/a/state', {}, { status: 403, expects: 200 })
    expect(problemsOf(visit)).toEqual([
      expect.stringMatching(/^GET \/watch\/show\/a\/state is answered 403 instead of 200/),
    ])
    expect(problemsOf({ ...visit, isAtRest: false })).toEqual([])
    expect(problemsOf(visited('/watch/show/a/state', {}, { status: 502 }))).toEqual([
      'GET /watch/show/a/state is answered 502 without a fault',
    ])
    const refused = { status: 403, expects: 403, says: 'link-expired' }
    expect(problemsOf(visited('/watch/show/a/state', { code: 'link-required' }, refused))).toEqual([
      expect.stringMatching(/^GET \/watch\/show\/a\/state is answered without link-expired/),
    ])
    expect(problemsOf(visited('/watch/show/a/state', {}, { has: { allow: 'GET' } }))).toEqual([
      'GET /watch/show/a/state is answered without allow: GET',
    ])
  })
  it('finds a refusal that names another problem, or a field that the request cannot have', () => {
    const refusal = (path: string, name = 'invalid-body') => ({
      type: `https://github.com/showrunner/showrunner/blob/main/docs/problems.md#${name}`,
      ...{ code: name, title: 'Refused', status: 400, detail: 'It is refused.', requestId: 'one' },
      problems: [{ path, message: 'is not known' }],
    })
    const more = { method: 'POST', status: 400, headers: { 'content-type': 'application/problem+json' } }
    const judge = (path: string, body: object = {}) =>
      problemsOf({ ...visited('/shows/a/markers', refusal(path), more), body })
    expect([...judge('label'), ...judge('other', { other: 1 }), ...judge('')]).toEqual([])
    expect(judge('labelX')).toEqual(['POST /shows/a/markers is refused for the field labelX, which it does not have'])
    const unknown = visited('/shows/a/quality', refusal('', 'unknown-show'), { ...more, method: 'GET', status: 404 })
    expect(problemsOf({ ...unknown, problem: 'unknown-show' })).toEqual([])
    expect(problemsOf({ ...unknown, problem: 'no-quality-report' }).join()).toContain('without no-quality-report')
  })
})
