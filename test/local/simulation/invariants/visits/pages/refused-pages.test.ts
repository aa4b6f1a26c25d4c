import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../../../../../lambdas/http/problem.ts'
import { refusalPage } from '../../../../../../lambdas/watch/refusal-page.ts'
import { refusedPages } from '../../../../../../local/simulation/invariants/visits/pages/refused-pages.ts'
import { PLAIN, type Visit } from '../../../../../../local/simulation/visits/visitor.ts'
import { visited } from '../visited.ts'

const { statusCode: status, headers, body: answer = '' } = refusalPage(new ApiProblem('link-expired', ''), "'none'")
const refused = { accept: 'text/html', status, headers, answer } as Visit
const problemsOf = (changes: Partial<Visit>) =>
  refusedPages({ visits: [visited('/watch/x', '', { ...refused, ...changes })] })

describe('refusedPages', () => {
  it('accepts a page that says why, and ignores data', () => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({ accept: undefined, headers: {}, answer: '{}' })).toEqual([])
  })

  it('finds other headers, scripts, and another text', () => {
    const lax = { ...refused.headers, 'x-robots-tag': 'all', 'content-security-policy': "default-src 'self'" }
    expect(problemsOf({ headers: lax }).join()).toMatch(/x-robots-tag.*default-src in its policy/)
    expect(problemsOf({ answer: answer.replace('</h1>', '</h1><script>a()</script>') })).toEqual([
      'the refused page /watch/x has a wrong script',
    ])
    expect(problemsOf({ answer: answer.replaceAll('This link has expired', 'No') })).toEqual([
      'the refused page /watch/x has a wrong text',
    ])
  })

  it('finds a redirect that does not lead through the distribution', () => {
    const site = { ...PLAIN, origin: 'https://watch.example.com' }
    const led = (location: string) => ({
      ...{ site, status: 307, answer: '' },
      headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    })
    expect(problemsOf(led('https://watch.example.com/watch/x'))).toEqual([])
    expect(problemsOf(led('http://api.invalid/watch/x'))).toHaveLength(1)
  })
})
