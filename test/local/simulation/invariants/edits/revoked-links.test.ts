import { describe, expect, it } from 'vitest'
import { revokedLinks } from '../../../../../local/simulation/invariants/edits/revoked-links.ts'
import { edit, evidenceOf } from './edits.ts'

const revoke = edit('POST', '/revoke', { answer: '{"revoked":["one"]}' })
const judge = (manifest: object, requests: readonly object[] = [revoke]) =>
  revokedLinks(evidenceOf(requests, { manifest }))

describe('revokedLinks', () => {
  it('accepts a private recording with as many epochs as revocations, also where an answer was lost', () => {
    expect(judge({ access: 'signed', epoch: 1 })).toEqual([])
    expect(judge({ access: 'signed', epoch: 2 }, [{ ...revoke, status: undefined }, revoke])).toEqual([])
  })

  it.each([
    [{ access: 'public', epoch: 1 }, 'the links of one were revoked, and it is public'],
    [{ access: 'signed' }, 'the links of one were revoked 1 to 1 times, and its epoch is 0'],
    [{ access: 'signed', epoch: 2 }, 'the links of one were revoked 1 to 1 times, and its epoch is 2'],
  ])('finds a revocation without its effect: %j', (manifest, problem) => {
    expect(judge(manifest)).toEqual([problem])
  })

  it('finds a recording that its answer does not list', () => {
    expect(judge({}, [{ ...revoke, answer: '{"revoked":[]}' }])).toEqual([
      'the links of one were revoked, which the answer does not list',
    ])
  })
})
