import { describe, expect, it } from 'vitest'
import { judgedBodies } from '../../../../../local/simulation/invariants/documents/judged-bodies.ts'
import { asked } from '../made-up-evidence.ts'

const REFUSED = JSON.stringify({ type: 'https://example.com/docs/problems.md#invalid-body' })
const change = (stream: object) => ({ streams: [{ recording: 'program', ...stream }] })
const judge = (body: object, status: number, request: Partial<ReturnType<typeof asked>> = {}) =>
  judgedBodies({
    apiRequests: [
      asked(0, {
        ...{ method: 'PATCH', path: '/shows/a-show', body: JSON.stringify(body), status },
        ...{ answer: status === 400 ? REFUSED : '{}', ...request },
      }),
    ],
  })

describe('judgedBodies', () => {
  it('accepts bodies that are taken or refused as documented', () => {
    expect(judge(change({ addStream: 's', hasAudio: false }), 200)).toEqual([])
    expect(judge(change({ removeStream: 's', hasAudio: false }), 400)).toEqual([])
    expect(judge(change({ addStream: 's' }), 409)).toEqual([])
    expect(judge({}, 200, { path: '/unknown' })).toEqual([])
  })

  it('finds one that was refused although it fits, and one that was accepted although it does not', () => {
    expect(judge(change({ addStream: 's', hasAudio: false }), 400)).toEqual([
      'PATCH /shows/a-show refused {"streams":[{"recording":"program","addStream":"s","hasAudio":false}]}, which fits the description',
    ])
    expect(judge(change({ removeStream: 's', hasAudio: false }), 200)).toHaveLength(1)
  })

  it('leaves clips and show documents to other invariants, and judges no body that is not JSON', () => {
    expect(judge({ name: 'Ahead', from: 10, to: 20 }, 400, { method: 'POST', path: '/shows/a-show/clips' })).toEqual([])
    expect(judge({}, 400, { method: 'PUT' })).toEqual([])
    expect(judge({}, 200, { body: '' })).toEqual([])
  })
})
