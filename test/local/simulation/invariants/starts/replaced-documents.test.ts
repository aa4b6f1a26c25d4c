import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../../../local/simulation/environment/app/api-requests.ts'
import { replacedDocuments } from '../../../../../local/simulation/invariants/starts/replaced-documents.ts'
import { asked, showWith } from '../made-up-evidence.ts'

const START = 1_000_000
const put = (at: number, name: string, more: Partial<AnsweredRequest> = {}) =>
  asked(at, { method: 'PUT', path: '/shows/a-show', body: JSON.stringify({ name, recordings: [] }), ...more })
const judge = (name: string, ...apiRequests: AnsweredRequest[]) =>
  replacedDocuments({
    shows: [{ ...showWith({ request: { name, recordings: [] } }), startedAt: START }],
    apiRequests,
  })

describe('replacedDocuments', () => {
  it('accepts the last document, and either of two at once', () => {
    expect(judge('Second', put(1, 'First'), put(100, 'Second'))).toEqual([])
    expect(judge('First', put(100, 'First'), put(100, 'Second'))).toEqual([])
    expect(judge('Posted')).toEqual([])
  })

  it('finds a show with an earlier document, or with that of a later start', () => {
    const earlier = ['the show a-show starts with another document than the last one']
    expect(judge('First', put(1, 'First'), put(100, 'Second'))).toEqual(earlier)
    expect(judge('Second', put(1, 'First'), put(START + 1, 'Second'))).toEqual([
      ...earlier,
      'the show a-show has a document of later starts',
    ])
  })

  it('finds a refusal long before the start, and accepts one during it', () => {
    expect(judge('Posted', put(1_000, 'First', { status: 409 }))).toEqual([
      'the show a-show could not be replaced at 1970-01-01T00:00:01.000Z, before its start',
    ])
    expect(judge('Posted', put(START - 60_000, 'First', { status: 409 }))).toEqual([])
  })

  it('accepts everything where a request failed, and may have had its effect', () => {
    expect(judge('Second', put(1, 'First', { status: 500 }), put(2, 'Third'))).toEqual([])
  })
})
