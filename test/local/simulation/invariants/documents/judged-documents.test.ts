import { describe, expect, it } from 'vitest'
import { judgedDocuments } from '../../../../../local/simulation/invariants/documents/judged-documents.ts'
import { faultAt } from '../made-up-evidence.ts'

const REFUSED = 'a title of 256 characters'
const ACCEPTED = 'a show of a second'
const problem = { path: 'name', message: 'must have at most 255 characters' }
const ask = (what: string, status: number | undefined, answer: object | string = {}, path = '/shows?dryRun=true') => ({
  ...{ askedAt: 1_000, answeredAt: 1_100, method: 'POST', path, key: `dry run: ${what}`, body: '' },
  ...{ status, answer: typeof answer === 'string' ? answer : JSON.stringify(answer) },
})
const judge = (request: ReturnType<typeof ask>, faults: number[] = []) =>
  judgedDocuments({ apiRequests: [request], trace: faults.map((at) => faultAt(at)) })

describe('judgedDocuments', () => {
  it('accepts a refusal at the expected path', () => {
    expect(judge(ask(REFUSED, 400, { problems: [problem] }))).toEqual([])
  })

  it.each([
    ['was answered 200 instead of 400', ask(REFUSED, 200)],
    [
      'was answered 400 instead of 200, name is long',
      ask(ACCEPTED, 400, { problems: [{ path: 'name', message: 'is long' }] }),
    ],
    ['was answered without the show or its forecast', ask(ACCEPTED, 200, { show: {} })],
    ['the problem name is long', ask(REFUSED, 400, { problems: [{ path: 'name', message: 'is long' }] })],
    ['no problem at name', ask(REFUSED, 400, { problems: [] })],
    ['the problem page is blue', ask(REFUSED, 400, { problems: [problem, { path: 'page', message: 'is blue' }] })],
    ['several problems at one path', ask(REFUSED, 400, { problems: [problem, problem] })],
  ])('finds that a document %s', (difference, request) => {
    expect(judge(request)).toEqual([`${request.key.slice('dry run: '.length)}: ${difference}`])
  })

  it('compares the reason of a refusal of an operator', () => {
    const detail = 'A show with public recordings (publish.access) requires the role admin, and'
    expect(judge(ask('a public show of an operator', 403, { detail }))).toEqual([])
    expect(judge(ask('a public show of an operator', 403, { detail: 'No.' }))).toEqual([
      'a public show of an operator: was refused with the detail “No.”',
    ])
  })

  it.each([undefined, 429, 500, 503])(
    'does not judge an answer that is lost or refused for another reason (%s)',
    (status) => {
      expect(judge(ask(REFUSED, status, 'nothing'))).toEqual([])
    },
  )

  it('does not judge an answer during which a fault struck, nor other requests', () => {
    expect(judge(ask(REFUSED, 200, '{'), [1_050])).toEqual([])
    expect(judge(ask(REFUSED, 200), [999, 1_101])).toHaveLength(1)
    expect(judge(ask(REFUSED, 202, {}, '/shows'))).toEqual([])
  })
})
