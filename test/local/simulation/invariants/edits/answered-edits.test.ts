import { describe, expect, it } from 'vitest'
import { OTHER_ETAG, UNKNOWN } from '../../../../../local/simulation/generator/edits/edit-requests.ts'
import { answeredEdits } from '../../../../../local/simulation/invariants/edits/answered-edits.ts'
import { edit, evidenceOf } from './edits.ts'

const problem = (code: string) => JSON.stringify({ type: `https://example.org/problems.md#${code}` })
const refused = (status: number, code: string) => ({ status, answer: problem(code) })
const unknown = refused(404, 'unknown-recording')
const hidden = { answer: JSON.stringify({ restorableUntil: new Date(1_000).toISOString() }) }
/** Sends requests one after the other, at each tenth of a second. */
const after = (...requests: readonly object[]) =>
  answeredEdits(
    evidenceOf(requests.map((one, index) => ({ askedAt: index * 100, answeredAt: index * 100 + 50, ...one }))),
  )

const remove = (more: object) => without(edit('DELETE', '', more))
const purge = (more: object = {}) => without(edit('DELETE', '?permanently=true', { answer: '{"objects":1}', ...more }))
const restore = (more: object = {}) => without(edit('POST', '/restore', more))
/** Leaves out the times, which follow from the order. */
const without = ({ askedAt: _, answeredAt: __, ...request }: ReturnType<typeof edit>) => request

describe('answeredEdits', () => {
  it('accepts deletions and restorations that follow from each other', () => {
    expect(after(remove(hidden), remove(hidden), restore(), restore(), purge(), purge(), restore(unknown))).toEqual([])
    expect(after(remove(refused(409, 'recording-busy')), remove(hidden), purge(), remove(unknown))).toEqual([])
    const late = { askedAt: 1_500, answeredAt: 1_600 }
    for (const outcome of [refused(409, 'restore-expired'), unknown])
      expect(after(remove(hidden), { ...restore(outcome), ...late })).toEqual([])
  })

  it('finds answers that contradict earlier ones', () => {
    expect(after(remove(unknown))).toEqual([
      'DELETE of one with the key k was answered 404 unknown-recording, although it was there',
    ])
    expect(after(remove({}))).toHaveLength(1) // it says no time until which it can be restored
    expect(after(remove(hidden), restore(unknown))).toHaveLength(1)
    expect(after(remove(hidden), restore(refused(409, 'restore-expired')))).toHaveLength(1)
    const none = { answer: '{"objects":0}' }
    expect(after(purge(), purge(none))).toEqual([])
    const joined = (more: object = {}) => ({ ...purge(more), path: '/recordings/one-joined?permanently=true' })
    expect(after(joined(), joined())).toEqual([])
    expect(after(joined(), joined(none))).toHaveLength(1)
    expect(after(purge(), remove(hidden))).toEqual([
      'DELETE of one with the key k was answered 200, although it was gone',
    ])
    const late = { askedAt: 1_500, answeredAt: 1_600 }
    const again = { answer: JSON.stringify({ restorableUntil: new Date(9_000).toISOString() }) }
    expect(after(remove(hidden), { ...remove(hidden), ...late })).toEqual([])
    expect(after(remove(hidden), { ...remove(again), ...late })).toHaveLength(1)
    expect(after(purge(), restore())).toHaveLength(1)
    expect(after(purge(), restore(refused(409, 'recording-busy')))).toHaveLength(1)
  })

  it('finds deletions of recordings that are not uploaded yet', () => {
    const statusChanges = ['started', 'stopped', 'uploaded'].map((status, index) => ({
      id: 'one',
      status,
      at: index * 100,
    }))
    const deleteAt = (askedAt: number, trace: readonly object[] = []) =>
      answeredEdits(evidenceOf([{ ...remove(hidden), askedAt, answeredAt: askedAt + 20 }], { statusChanges, trace }))
    expect(deleteAt(150)).toEqual([
      'DELETE of one with the key k was answered 200, although it was being recorded or uploaded',
    ])
    expect(deleteAt(190)).toEqual([]) // its upload ended meanwhile
    expect(deleteAt(250)).toEqual([])
    expect(deleteAt(150, [{ at: 160, line: '', fault: '404' }])).toEqual([])
  })

  it('judges no answer after one that was lost, or beside another request', () => {
    expect(after(purge({ status: 502 }), remove(hidden))).toEqual([])
    const meanwhile = { askedAt: 120, answeredAt: 200 }
    expect(after(remove(hidden), restore(), { ...remove(unknown), ...meanwhile })).toEqual([])
  })

  it('knows that a recording never existed', () => {
    const path = `/recordings/${UNKNOWN}`
    expect(after({ ...remove(unknown), path })).toEqual([])
    expect(after({ ...remove(hidden), path })).toHaveLength(1)
    expect(after({ ...purge(), path: `${path}?permanently=true` })).toHaveLength(1)
  })

  it('judges decisions about a withheld file by the decisions before them', () => {
    const judge = (what: 'accept' | 'reject', more: object = {}, etag = 'withheld') =>
      without(edit('POST', `/${what}`, { body: JSON.stringify({ etag }), ...more }))
    const wrong = refused(409, 'wrong-file')
    const accepted = refused(409, 'file-accepted')
    const another = judge('reject', wrong, OTHER_ETAG)
    expect(after(another, judge('accept'), judge('accept'), judge('reject', accepted))).toEqual([])
    expect(after(another, judge('reject'), judge('reject'), judge('accept', wrong))).toEqual([])
    expect(after(judge('reject', {}, OTHER_ETAG))).toHaveLength(1)
    expect(after(judge('accept', wrong))).toHaveLength(1)
    expect(after(judge('accept'), judge('accept', wrong))).toHaveLength(1)
    expect(after(judge('accept'), judge('reject'))).toEqual([
      'POST reject of one with the key k was answered 200, although the file was judged by POST accept',
    ])
    expect(after(judge('reject'), judge('accept', accepted))).toHaveLength(1)
    expect(after(remove(hidden), judge('accept', unknown))).toEqual([])
  })

  it('finds decisions about a file that a newer one had replaced', () => {
    const judge = (etag: string, more: object = {}) =>
      edit('POST', '/reject', { body: JSON.stringify({ etag }), ...more })
    const trace = ['former', 'newer'].map((etag, at) => ({
      ...{ at: at * 100, unnoticed: 'replaced file' },
      line: `the file 1234/one/archive.mp4 is replaced by another with the ETag ${etag}`,
    }))
    const decide = (request: object) => answeredEdits(evidenceOf([request], { trace }))
    const late = { askedAt: 200, answeredAt: 210 }
    expect(decide(judge('former', { askedAt: 50, answeredAt: 60 }))).toEqual([])
    expect(decide(judge('newer', late))).toEqual([])
    expect(decide(judge('former', { ...late, ...refused(409, 'wrong-file') }))).toEqual([])
    expect(decide(judge('former', late))).toEqual([
      'POST reject of one with the key k was answered 200, although another file was uploaded since',
    ])
  })
})
