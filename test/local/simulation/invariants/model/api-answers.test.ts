import { describe, expect, it } from 'vitest'
import { apiAnswers } from '../../../../../local/simulation/invariants/model/api-answers.ts'
import { faultAt, showWith } from '../made-up-evidence.ts'

type Evidence = Parameters<typeof apiAnswers>[0]

const request = (status: number, { at = 0, body = '{}', path = '/shows/a-show/mute', answer = '' } = {}) => ({
  ...{ askedAt: at, answeredAt: at + 100, method: 'POST', key: 'one' },
  ...{ path, body, status, answer },
})
const judge = (apiRequests: readonly ReturnType<typeof request>[], more: Partial<Evidence> = {}) =>
  apiAnswers({ apiRequests, shows: [], trace: [], ...more })

describe('apiAnswers', () => {
  it('accepts a request that is repeated, and one that is sent twice at once', () => {
    expect(judge([request(202), request(200, { at: 1_000 }), request(200, { at: 2_000 })])).toEqual([])
    expect(judge([request(200), request(409, { answer: 'control-in-progress' })])).toEqual([])
    expect(judge([request(200), request(409, { at: 1_000, body: '{"other":1}' })])).toEqual([])
    expect(judge([request(200), request(409, { at: 1_000, answer: 'The simulation has ordered this.' })])).toEqual([])
  })

  it.each([
    ['was accepted for 2 bodies', [request(200), request(200, { at: 1_000, body: '{"other":1}' })]],
    ['was answered 200 and 201', [request(200), request(201, { at: 1_000 })]],
    ['was refused with 404 after it had been accepted', [request(200), request(404, { at: 1_000 })]],
  ])('finds that a key %s', (problem, requests) => {
    expect(judge(requests)).toEqual([`POST /shows/a-show/mute with the key one ${problem}`])
  })

  it('demands a fault for a failure of the server', () => {
    expect(judge([request(500)])).toEqual(['POST /shows/a-show/mute was answered 500 without a fault'])
    expect(judge([request(500, { at: 1_000 })], { trace: [faultAt(500)] })).toEqual([])
  })

  it('finds a show that succeeds after its stop was answered as done', () => {
    const path = '/shows/a-show/stop'
    const shows = [showWith({ result: { status: 'succeeded', reportedAt: new Date(60_000).toISOString() } })]
    expect(judge([request(200, { path })], { shows })).toEqual([
      'the show a-show succeeded, although its stop was answered as done',
    ])
    expect(judge([request(200, { path, at: 90_000 })], { shows })).toEqual([])
  })

  it('finds a second show for one key, also if one answer was lost', () => {
    const posted = (showId: string, at = 0) => request(202, { path: '/shows', at, answer: JSON.stringify({ showId }) })
    expect(judge([posted('a-show'), posted('b-show', 1_000)])).toContain('one key was answered with 2 shows')
    const shows = [showWith(), { ...showWith(), showId: 'b-show' }]
    expect(judge([posted('a-show')], { shows })).toEqual(['the show b-show is named in no answer'])
    expect(judge([posted('a-show')], { shows: [showWith()] })).toEqual([])
    const corrupt = request(202, { path: '/shows', at: -1_000, answer: '{"showId":40}' })
    expect(judge([corrupt, posted('a-show')], { shows: [showWith()] })).toEqual([])
  })
})
