import { describe, expect, it } from 'vitest'
import { isAccepted, isJudged } from '../../../../../local/simulation/invariants/requests/judgements.ts'
import { edit, evidenceOf } from '../edits/edits.ts'

const accept = edit('POST', '/accept', { status: 202 })
const reject = edit('POST', '/reject')

describe('isJudged', () => {
  it('counts decisions that were made or may have been', () => {
    expect(isJudged(evidenceOf([reject]), 'one')).toBe(true)
    expect(isJudged(evidenceOf([{ ...reject, status: undefined }]), 'one')).toBe(true)
    expect(isJudged(evidenceOf([{ ...reject, status: 409 }]), 'one')).toBe(false)
    expect(isAccepted(evidenceOf([reject]), 'one')).toBe(false)
    expect(isAccepted(evidenceOf([accept]), 'one')).toBe(true)
  })
})
