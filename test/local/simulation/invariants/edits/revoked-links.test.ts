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

  it('finds a joined recording of which a part was revoked before it was joined', () => {
    const joined = (more: object, requests: readonly object[] = [revoke]) => {
      const whole = { archiveId: 'zero-joined', parts: ['zero', 'one'], files: [], ...more }
      const objects = { 'recordings/zero-joined/manifest.json': JSON.stringify(whole) }
      return revokedLinks(evidenceOf(requests, { manifest: { archiveId: 'one', access: 'signed', epoch: 1 }, objects }))
    }
    expect(joined({ access: 'signed', epoch: 1 })).toEqual([])
    expect(joined({ access: 'public' })).toEqual([
      'zero-joined is public with the epoch 0, and a part of it has the epoch 1',
    ])
    expect(joined({ access: 'signed' })).toHaveLength(1)
    expect(joined({ access: 'signed' }, [revoke, { ...revoke, status: undefined }])).toEqual([])
  })
})
