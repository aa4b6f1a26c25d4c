import { describe, expect, it } from 'vitest'
import { keptCopies } from '../../../../../local/simulation/invariants/edits/kept-copies.ts'
import { edit, evidenceOf } from './edits.ts'

const until = (seconds: number) => new Date(seconds * 1000).toISOString()
const remove = (askedAt: number, more: object = {}) =>
  edit('DELETE', '', {
    ...{ askedAt: askedAt * 1000, answeredAt: askedAt * 1000 },
    answer: JSON.stringify({ restorableUntil: until(askedAt + 100) }),
    ...more,
  })
const purge = (more: object = {}) =>
  edit('DELETE', '?permanently=true', { askedAt: 50_000, answeredAt: 50_000, ...more })
/** Judges the deletion of the platform's copy of the recording `one`. @param at in seconds */
const deletedAt = (at: number, ...requests: readonly object[]) =>
  keptCopies(
    evidenceOf(requests, { statusChanges: [{ kind: 'archive', id: 'one', status: 'deleted', at: at * 1000 }] }),
  )

describe('keptCopies', () => {
  it('accepts a copy that is deleted once its recording cannot be restored, or permanently', () => {
    expect(deletedAt(100, remove(0))).toEqual([])
    expect(deletedAt(60, remove(0), purge())).toEqual([])
    expect(deletedAt(60, remove(0), purge({ status: undefined, answer: '' }))).toEqual([])
    expect(keptCopies(evidenceOf([remove(0)]))).toEqual([])
  })

  it('finds a copy that is deleted by no request', () => {
    const words = 'the platform’s copy of one was deleted, and no request did so'
    expect(deletedAt(100)).toEqual([words])
    expect(deletedAt(60, purge({ status: 409 }))).toEqual([words])
    expect(deletedAt(40, purge())).toEqual([words])
  })

  it('finds a copy that is deleted while its recording can be restored', () => {
    const words = `the platform’s copy of one was deleted, although the recording could be restored until ${until(160)}`
    expect(deletedAt(100, remove(0), edit('POST', '/restore'), remove(60))).toEqual([words])
    expect(deletedAt(160, remove(0), edit('POST', '/restore'), remove(60))).toEqual([])
  })
})
